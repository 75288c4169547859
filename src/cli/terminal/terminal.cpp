#include "cli/terminal/terminal.hpp"

#include "cli/terminal/foreign_text.hpp"
#include "cli/terminal/output.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <utility>

namespace inferwire::inline v0_1::cli {
namespace {

termios before_raw_mode{};  // global for the signal handler

// They make the terminal mark what is pasted, or no longer: see LineEditor.
constexpr std::string_view mark_pastes = "\x1b[?2004h";
constexpr std::string_view mark_no_pastes = "\x1b[?2004l";

/// Restores the terminal and ends the program as the signal would have.
void restore_and_end(int signal) {
  [[maybe_unused]] const auto written = ::write(STDOUT_FILENO, mark_no_pastes.data(), mark_no_pastes.size());
  tcsetattr(STDIN_FILENO, TCSANOW, &before_raw_mode);
  raise(signal);
}

/// During its lifetime, delivers every key as it is typed, without echo, and marks pastes.
class RawMode {
 public:
  RawMode() {
    if (tcgetattr(STDIN_FILENO, &before_raw_mode) != 0) return;
    struct sigaction ending{};
    ending.sa_handler = &restore_and_end;
    ending.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
    auto raw = before_raw_mode;
    raw.c_iflag &= ~static_cast<tcflag_t>(ICRNL | IXON);
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ISIG | IEXTEN);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    changed_ = tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0;
    if (!changed_) return;
    sigaction(SIGTERM, &ending, &before_);
    print(mark_pastes);
  }
  ~RawMode() {
    if (!changed_) return;
    print(mark_no_pastes);
    tcsetattr(STDIN_FILENO, TCSADRAIN, &before_raw_mode);
    sigaction(SIGTERM, &before_, nullptr);
  }
  RawMode(const RawMode&) = delete;
  RawMode& operator=(const RawMode&) = delete;

 private:
  struct sigaction before_{};
  bool changed_{};
};

/// The current width of the terminal that `stream` goes to, in columns.
std::size_t terminal_width(int stream) noexcept {
  constexpr std::size_t usual = 80;
  winsize size{};
  const bool known = ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : usual;
}

}  // namespace

void fill_standard_streams() noexcept {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // open() returns the lowest free descriptor.
    if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

bool output_is_seen() noexcept { return isatty(STDOUT_FILENO) != 0; }

bool errors_are_seen() noexcept { return isatty(STDERR_FILENO) != 0 && obeys_sequences(); }

std::size_t errors_width() noexcept { return terminal_width(STDERR_FILENO); }

bool is_interactive() noexcept { return isatty(STDIN_FILENO) != 0 && output_is_seen(); }

bool obeys_sequences() noexcept {
  const char* kind = std::getenv("TERM");
  return kind != nullptr && *kind != '\0' && std::string_view(kind) != "dumb";
}

bool has_colours() noexcept {
  const char* refused = std::getenv("NO_COLOR");
  return output_is_seen() && obeys_sequences() && (refused == nullptr || *refused == '\0');
}

std::string dimmed(std::string_view text) {
  const auto legible = shown(text);
  return has_colours() && !legible.empty() ? "\x1b[2m" + legible + "\x1b[0m" : legible;
}

std::optional<std::string> LineReader::read(std::string_view prompt) {
  if (!obeys_sequences()) return read_plain(prompt);
  const RawMode raw;
  draw(prompt);
  for (;;) {
    if (typed_.empty() && !receive()) return std::nullopt;
    switch (edit(prompt)) {
      case LineEditor::Event::none:
      case LineEditor::Event::changed: break;
      case LineEditor::Event::entered: print("\r\n"); return editor_.take();
      case LineEditor::Event::cancelled:
        print("^C\r\n");
        draw(prompt);
        break;
      case LineEditor::Event::ended: print("\r\n"); return std::nullopt;
    }
  }
}

std::optional<std::string> LineReader::read_plain(std::string_view prompt) {
  print(prompt);
  auto end = typed_.find('\n');
  while (end == std::string::npos && receive()) end = typed_.find('\n');
  if (end == std::string::npos) print("\n");
  if (typed_.empty()) return std::nullopt;
  auto line = typed_.substr(0, end);
  typed_.erase(0, end == std::string::npos ? end : end + 1);
  return line;
}

bool LineReader::receive() {
  constexpr std::size_t most = 4096;
  std::array<char, most> bytes;
  const auto count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
  if (count <= 0) return false;
  typed_.append(bytes.data(), static_cast<std::size_t>(count));
  return true;
}

LineEditor::Event LineReader::edit(std::string_view prompt) {
  constexpr char interrupt = '\x03';
  auto event = LineEditor::Event::none;
  bool changed = false;
  std::size_t fed = 0;
  while (fed < typed_.size() && (event == LineEditor::Event::none || event == LineEditor::Event::changed)) {
    if (typed_[fed] == interrupt && std::exchange(changed, false)) draw(prompt);  // what it will remove
    event = editor_.feed(typed_[fed++]);
    changed |= event == LineEditor::Event::changed;
  }
  typed_.erase(0, fed);
  if (changed) draw(prompt);
  return event;
}

/// Redraws the line in place, as much of it as fits the terminal's width, and positions the cursor.
void LineReader::draw(std::string_view prompt) const {
  const auto taken = columns_of(prompt) + 1;  // 1 for the cursor after the last character
  const auto width = terminal_width(STDOUT_FILENO);
  const auto view = view_of(editor_.text(), editor_.cursor(), width > taken ? width - taken : 1);
  std::string out = "\r";
  out.append(prompt).append(view.text).append("\x1b[K");
  const auto back = view.columns - view.cursor_columns;
  if (back > 0) out += "\x1b[" + std::to_string(back) + "D";
  print(out);
}

InterruptWatch::InterruptWatch() {
  sigset_t interrupt;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  pthread_sigmask(SIG_BLOCK, &interrupt, &before_);
  thread_ = std::thread([this, interrupt] {
    int signal = 0;
    sigwait(&interrupt, &signal);
    source_.cancel();
  });
}

InterruptWatch::~InterruptWatch() {
  // Ends the thread, unless a Ctrl-C already has.
  pthread_kill(thread_.native_handle(), SIGINT);
  thread_.join();
  // A second signal is discarded: it must not end the program, which continues.
  sigset_t pending;
  sigpending(&pending);
  if (sigismember(&pending, SIGINT) == 1) {
    sigset_t interrupt;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    int signal = 0;
    sigwait(&interrupt, &signal);
  }
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace inferwire::inline v0_1::cli
