// The library's own types for a task, shared by the methods that go through it.
#pragma once

#include "../task.hpp"
#include "tamis/tamis.hpp"

namespace tamis::bench {

const Device& device();
Shape shape_of(const Task& task);
// Enqueues a selection; throws where the library refuses it.
void run(const Plan& plan, const Task& task, cudaStream_t stream);

std::vector<Method> kernel_methods();

}  // namespace tamis::bench
