#include "cli/terminal/line_editor.hpp"

#include "support/catch.hpp"

#include <string>
#include <string_view>

namespace {

using inferwire::cli::columns_of;
using inferwire::cli::LineEditor;
using inferwire::cli::view_of;
using Event = LineEditor::Event;

/// Types `keys`; gives the event that the last byte led to.
Event type(LineEditor& editor, std::string_view keys) {
  auto event = Event::none;
  for (const char key : keys) event = editor.feed(key);
  return event;
}

constexpr std::string_view up = "\x1b[A";
constexpr std::string_view down = "\x1b[B";
constexpr std::string_view right = "\x1b[C";
constexpr std::string_view left = "\x1b[D";

}  // namespace

TEST_CASE("LineEditor edits the line at the cursor") {
  struct Row {
    std::string_view what, keys, text;
    std::size_t cursor;
  };
  const Row rows[] = {
      {"typing", "abc", "abc", 3},
      {"backspace", "abc\x7f", "ab", 2},
      {"backspace at the beginning", "\x7f", "", 0},
      {"insertion", "ac\x1b[Db", "abc", 2},
      {"home and end",
       "bc\x01"
       "a\x05"
       "d",
       "abcd", 4},
      {"home and end by sequences", "bc\x1b[Ha\x1b[Fd", "abcd", 4},
      {"home and end by numbers", "bc\x1b[1~a\x1b[4~d", "abcd", 4},
      {"application keys", "bc\x1bOHa", "abc", 1},
      {"delete", "abc\x01\x1b[3~", "bc", 0},
      {"delete by Ctrl-D", "abc\x01\x04", "bc", 0},
      {"delete at the end", "abc\x1b[3~", "abc", 3},
      {"to the end", "abc\x1b[D\x0b", "ab", 2},
      {"to the beginning", "abc\x1b[D\x15", "c", 0},
      {"a word", "one two\x17", "one ", 4},
      {"a word and the space behind it", "one two  \x17", "one ", 4},
      {"the only word", "one\x17", "", 0},
      {"right at the end", "a\x1b[C\x1b[Cb", "ab", 2},
      {"left at the beginning", "a\x1b[D\x1b[Db", "ba", 1},
      {"a character of two bytes", "\xc3\xa9x\x1b[D\x7f", "x", 0},
      {"a character of four bytes", "\xf0\x9f\xa6\x99\x7f", "", 0},
      {"over a character of three bytes", "\xe2\x82\xac\x1b[Dx", "x\xe2\x82\xac", 1},
      {"a key that means nothing", "a\x1b[15~b", "ab", 2},
      {"a tab", "a\tb\x1b[D", "a\tb", 2},
      {"an escape before a sequence", "ab\x1b\x1b[D", "ab", 1},
      {"an escape that nothing follows", "a\x1bqb", "ab", 2},
      {"a letter with Alt",
       "a\x1b\xc3\xa9"
       "b",
       "ab", 2},
  };
  for (const auto& row : rows) {
    INFO(row.what);
    LineEditor editor;
    type(editor, row.keys);
    CHECK(editor.text() == row.text);
    CHECK(columns_of(editor.text().substr(0, editor.cursor())) == row.cursor);
  }
}

TEST_CASE("columns_of counts wide and combining characters as a terminal does") {
  CHECK(columns_of("") == 0);
  CHECK(columns_of("na\xc3\xafve") == 5);
  CHECK(columns_of("nai\xcc\x88ve") == 5);             // an accent that joins the letter before it
  CHECK(columns_of("\xe6\x97\xa5\xe6\x9c\xac") == 4);  // two Japanese characters
  CHECK(columns_of("\xf0\x9f\xa6\x99!") == 3);         // a llama
  CHECK(columns_of("\xc3" + std::string(40, '\x80')) == 40);
  CHECK(columns_of("\xff\xfe") == 2);  // not UTF-8
  CHECK(columns_of("\xf5\x80") == 2);  // no character begins with 0xF5
}

TEST_CASE("view_of shows the part of a long line around the cursor") {
  struct Row {
    std::string_view text;
    std::size_t cursor, columns;
    std::string_view shown;
    std::size_t used, before_cursor;
  };
  const Row rows[] = {
      {"abcdef", 6, 10, "abcdef", 6, 6},
      {"abcdef", 0, 4, "abcd", 4, 0},
      {"abcdef", 4, 4, "abcd", 4, 4},
      {"abcdef", 5, 4, "bcde", 4, 4},
      {"abcdef", 6, 4, "cdef", 4, 4},
      {"a\xe6\x97\xa5\xe6\x9c\xac", 7, 4, "\xe6\x97\xa5\xe6\x9c\xac", 4, 4},
      {"a\xe6\x97\xa5\xe6\x9c\xac", 1, 4, "a\xe6\x97\xa5", 3, 1},
      {"\xc3\x80\x80\x80", 4, 3, "\xc3\x80\x80\x80", 3, 3},  // not UTF-8
      {"a\nb\tc", 5, 9,
       "a\xe2\x86\xb5"
       "b c",
       5, 5},
      {"", 0, 4, "", 0, 0},
  };
  for (const auto& row : rows) {
    CAPTURE(row.text, row.cursor, row.columns);
    const auto view = view_of(row.text, row.cursor, row.columns);
    CHECK(view.text == row.shown);
    CHECK(view.columns == row.used);
    CHECK(view.cursor_columns == row.before_cursor);
  }
}

TEST_CASE("up and down walk through the history and back to the line being typed") {
  LineEditor editor;
  for (const auto* line : {"first\r", "second\r", "second\r", "\r"}) {
    CHECK(type(editor, line) == Event::entered);
    editor.take();
  }
  CHECK(editor.history().size() == 2);  // neither the repeated line nor the empty one

  type(editor, "draft");
  type(editor, up);
  CHECK(editor.text() == "second");
  type(editor, up);
  CHECK(editor.text() == "first");
  CHECK(type(editor, up) == Event::none);
  type(editor, down);
  type(editor, down);
  CHECK(editor.text() == "draft");
  CHECK(type(editor, down) == Event::none);

  type(editor, up);
  type(editor, left);
  type(editor, "X");
  type(editor, right);
  CHECK(editor.text() == "seconXd");
  CHECK(type(editor, "\r") == Event::entered);
  CHECK(editor.take() == "seconXd");
  CHECK(editor.history().back() == "seconXd");
}

TEST_CASE("line ends of what is pasted belong to the text") {
  LineEditor editor;
  CHECK(type(editor, "\x1b[200~one\r\ntwo\r\rthree\n\tfour\x04\x1b[A") == Event::none);
  CHECK(type(editor, "\x1b[201~\x1b[D\x7f\r") == Event::entered);
  CHECK(editor.take() == "one\ntwo\n\nthree\n\tfor");
  type(editor, up);
  CHECK(editor.text() == "one\ntwo\n\nthree\n\tfor");
}

TEST_CASE("Ctrl-C leaves a paste whose end does not arrive") {
  LineEditor editor;
  CHECK(type(editor, "\x1b[200~one\r") == Event::changed);
  CHECK(type(editor, "\x03") == Event::cancelled);
  CHECK(type(editor, "two\r") == Event::entered);
  CHECK(editor.take() == "two");
}

TEST_CASE("Ctrl-C empties the line, Ctrl-D ends an empty one") {
  LineEditor editor;
  CHECK(type(editor, "abc\x03") == Event::cancelled);
  CHECK(editor.text().empty());
  CHECK(type(editor, "\x04") == Event::ended);
  CHECK(type(editor, "a\x04") == Event::changed);
  CHECK(editor.text() == "a");
}
