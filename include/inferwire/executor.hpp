/// \file
/// Where the continuations of asynchronous calls run.
#pragma once

#include "inferwire/export.hpp"

#include <memory>
#include <type_traits>
#include <utility>

namespace inferwire::inline v0_1 {

/// Runs tasks on the program's own threads: an adapter to its loop or thread pool. See examples/asio.cpp. A
/// client holds it until the client is destroyed, and a call or stream until its last task has been posted;
/// tasks do not hold it. If these are its only owners, it is destroyed where the client is destroyed, or on
/// the loop's thread. Tasks hold what callbacks have captured: an executor that stops running them should
/// destroy them.
class INFERWIRE_API Executor {
 public:
  /// A function to be called once, perhaps on another thread. Can be moved, not copied.
  class Task {
   public:
    Task() = default;
    /// If there is no memory for it, `function` is not moved.
    template <class Function>
      requires(!std::is_same_v<std::remove_cvref_t<Function>, Task> &&
               std::is_invocable_v<std::decay_t<Function>&>)
    Task(Function&& function)
        : context_(new std::decay_t<Function>(std::forward<Function>(function))),
          run_([](void* context) { (*static_cast<std::decay_t<Function>*>(context))(); }),
          drop_([](void* context) { delete static_cast<std::decay_t<Function>*>(context); }) {}
    /// `run(context)`, without allocating.
    Task(void (*run)(void*), void* context) noexcept : context_(context), run_(run) {}
    Task(Task&& other) noexcept { swap(other); }
    Task& operator=(Task&& other) noexcept {
      Task taken(std::move(other));
      swap(taken);
      return *this;
    }
    ~Task() {
      if (drop_ != nullptr) drop_(context_);
    }

    explicit operator bool() const noexcept { return run_ != nullptr; }
    /// Calls the function; further calls do nothing.
    void operator()() {
      if (run_ != nullptr) std::exchange(run_, nullptr)(context_);
    }

   private:
    void swap(Task& other) noexcept {
      std::swap(context_, other.context_);
      std::swap(run_, other.run_);
      std::swap(drop_, other.drop_);
    }

    void* context_{};
    void (*run_)(void*){};
    void (*drop_)(void*){};
  };

  virtual ~Executor();

  /// Runs `task` once, after this call has returned or on another thread. Called from any thread. Must
  /// neither throw nor drop the task: what waits for it would wait forever.
  virtual void post(Task task) = 0;

  /// Makes an Executor from a function: `function(task)` is called with each task and has to do what `post`
  /// does.
  template <class F>
  static std::shared_ptr<Executor> of(F function) {
    class Calls final : public Executor {
     public:
      explicit Calls(F&& callee) : function_(std::move(callee)) {}
      void post(Task task) override { function_(std::move(task)); }

     private:
      F function_;
    };
    return std::make_shared<Calls>(std::move(function));
  }

  /// The executor that stands for the event loop's own thread, for a call whose client has another executor.
  static const std::shared_ptr<Executor>& on_loop();
};

}  // namespace inferwire::inline v0_1
