#include <fmt/format.h>

#include "object.hpp"
#include "objects.hpp"

namespace tamis::python {
namespace {

PyTypeObject* device_type = nullptr;  // set once, when the module is made

PyObject* device_repr(PyObject* object) {
  return guarded([&] {
    const Device& device = value_of<Device>(object);
    return text(fmt::format("<tamis.Device {}:{} {} {}, {} units>", name(device.backend), device.ordinal, device.name,
                            device.arch, device.units));
  });
}

PyGetSetDef device_attributes[] = {
    TAMIS_ATTRIBUTE(Device, "backend", text(name(value.backend)), "'cpu', 'cuda', 'hip' or 'emulated'."),
    TAMIS_ATTRIBUTE(Device, "name", text(value.name), "'h200', 'mi300x', 'cpu', ..."),
    TAMIS_ATTRIBUTE(Device, "arch", text(value.arch), "'sm_90a', 'gfx942', 'host', ..."),
    TAMIS_ATTRIBUTE(Device, "ordinal", PyLong_FromLong(value.ordinal), "Which of several equal devices."),
    TAMIS_ATTRIBUTE(Device, "units", PyLong_FromLong(value.units), "SMs, compute units, or CPU threads to use."),
    {}};

PyType_Slot device_slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(destroy<Device>)},
                              {Py_tp_repr, reinterpret_cast<void*>(device_repr)},
                              {Py_tp_getset, device_attributes},
                              {Py_tp_doc, const_cast<char*>("A device as numbers; it need not be present.")},
                              {0, nullptr}};

PyType_Spec device_spec{"tamis.Device", sizeof(Object<Device>), 0, immutable | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                        device_slots};

}  // namespace

void add_device_type(PyObject* module) { device_type = add_type(module, device_spec); }

PyObject* new_device(Device device) { return make(device_type, std::move(device)); }

const Device& device_of(PyObject* object) {
  require_type_of(object, device_type, "device", "a tamis.Device");
  return value_of<Device>(object);
}

}  // namespace tamis::python
