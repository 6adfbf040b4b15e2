#include <fmt/format.h>

#include "object.hpp"
#include "objects.hpp"

namespace tamis::python {
namespace {

PyTypeObject* plan_type = nullptr;  // set once, when the module is made

PyObject* plan_text(PyObject* object) {
  return guarded([&] { return text(value_of<Plan>(object).text()); });
}

PyObject* plan_repr(PyObject* object) {
  return guarded([&] {
    const Plan& plan = value_of<Plan>(object);
    return text(fmt::format("<tamis.Plan {} of {} x {}, k {}, on {}>", plan.method(), plan.shape().rows,
                            plan.shape().width, plan.shape().k, plan.device().name));
  });
}

PyObject* plan_json(PyObject* object, PyObject*) {
  return guarded([&] { return text(value_of<Plan>(object).json()); });
}

PyObject* plan_compare(PyObject* a, PyObject* b, int operation) {
  if (Py_TYPE(b) != plan_type || (operation != Py_EQ && operation != Py_NE)) return Py_NewRef(Py_NotImplemented);
  const bool equal = value_of<Plan>(a) == value_of<Plan>(b);
  return PyBool_FromLong(equal == (operation == Py_EQ));
}

Py_hash_t plan_hash(PyObject* object) {
  const Shape& shape = value_of<Plan>(object).shape();
  const Py_hash_t hash = shape.rows * 1000003 ^ shape.width * 8191 ^ shape.k;
  return hash == -1 ? -2 : hash;
}

PyGetSetDef plan_attributes[] = {
    TAMIS_ATTRIBUTE(Plan, "method", text(value.method()), "The method that was chosen."),
    TAMIS_ATTRIBUTE(Plan, "reason", text(value.reason()), "Why, in a sentence."),
    TAMIS_ATTRIBUTE(Plan, "workspace_bytes", PyLong_FromSize_t(value.workspace_bytes()),
                    "Bytes of scratch memory that a call needs."),
    TAMIS_ATTRIBUTE(Plan, "rows", PyLong_FromLongLong(value.shape().rows), "Rows of the scores."),
    TAMIS_ATTRIBUTE(Plan, "width", PyLong_FromLongLong(value.shape().width), "Columns of the scores."),
    TAMIS_ATTRIBUTE(Plan, "k", PyLong_FromLongLong(value.shape().k), "Positions selected a row."),
    TAMIS_ATTRIBUTE(Plan, "dtype", text(name(value.shape().scores)), "'f32', 'f16' or 'bf16'."),
    TAMIS_ATTRIBUTE(Plan, "device", new_device(value.device()), "The device that it was made for."),
    {}};

PyMethodDef plan_methods[] = {{"json", plan_json, METH_NOARGS, "The plan as a JSON object, for programs."}, {}};

PyType_Slot plan_slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(destroy<Plan>)},
                            {Py_tp_repr, reinterpret_cast<void*>(plan_repr)},
                            {Py_tp_str, reinterpret_cast<void*>(plan_text)},
                            {Py_tp_richcompare, reinterpret_cast<void*>(plan_compare)},
                            {Py_tp_hash, reinterpret_cast<void*>(plan_hash)},
                            {Py_tp_getset, plan_attributes},
                            {Py_tp_methods, plan_methods},
                            {Py_tp_doc, const_cast<char*>("How a shape is selected on a device. Immutable.")},
                            {0, nullptr}};

PyType_Spec plan_spec{"tamis.Plan", sizeof(Object<Plan>), 0, immutable | Py_TPFLAGS_DISALLOW_INSTANTIATION, plan_slots};

}  // namespace

void add_plan_type(PyObject* module) { plan_type = add_type(module, plan_spec); }

PyObject* new_plan(Plan plan) { return make(plan_type, std::move(plan)); }

const Plan& plan_of(PyObject* object) {
  require_type_of(object, plan_type, "plan", "a tamis.Plan");
  return value_of<Plan>(object);
}

}  // namespace tamis::python
