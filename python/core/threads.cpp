#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "arguments.hpp"
#include "object.hpp"
#include "objects.hpp"

namespace tamis::python {
namespace {

PyTypeObject* threads_type = nullptr;  // set once, when the module is made

// Threads do not survive a fork. In a child the parent's are let go of without a word: joining them would wait for
// ever.
class OwnedThreads {
 public:
  explicit OwnedThreads(std::int32_t count) : count_(count) { start(); }
  OwnedThreads(OwnedThreads&&) = default;
  ~OwnedThreads() {
    if (maker_ != getpid()) threads_.release();
  }

  std::int32_t count() const { return count_; }

  Threads& get() {
    if (maker_ != getpid()) {
      threads_.release();
      start();
    }
    return *threads_;
  }

 private:
  void start() {
    threads_ = std::make_unique<Threads>(count_);
    maker_ = getpid();
  }

  std::int32_t count_;
  std::unique_ptr<Threads> threads_;
  pid_t maker_;
};

PyObject* threads_new(PyTypeObject* type, PyObject* arguments, PyObject* named) {
  return guarded([&] {
    PyObject* given = nullptr;
    static const char* names[] = {"count", nullptr};
    if (PyArg_ParseTupleAndKeywords(arguments, named, "O", const_cast<char**>(names), &given) == 0) throw Raised{};
    return make(type, OwnedThreads(read_thread_count(given, "count")));
  });
}

PyGetSetDef threads_attributes[] = {
    TAMIS_ATTRIBUTE(OwnedThreads, "count", PyLong_FromLong(value.count()), "Threads, the caller's included."), {}};

PyType_Slot threads_slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(threads_new)},
    {Py_tp_dealloc, reinterpret_cast<void*>(destroy<OwnedThreads>)},
    {Py_tp_getset, threads_attributes},
    {Py_tp_doc, const_cast<char*>("Threads(count)\n--\n\nThreads for the CPU backend, passed to a call as its stream. "
                                  "Calls that share them take turns; a forked child makes its own.")},
    {0, nullptr}};

PyType_Spec threads_spec{"tamis.Threads", sizeof(Object<OwnedThreads>), 0, immutable, threads_slots};

}  // namespace

void add_threads_type(PyObject* module) { threads_type = add_type(module, threads_spec); }

bool is_threads(PyObject* object) { return Py_TYPE(object) == threads_type; }

Threads& threads_of(PyObject* object) { return value_of<OwnedThreads>(object).get(); }

}  // namespace tamis::python
