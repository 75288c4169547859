// A program without tests. The precompiled header of its Catch2 serves all other test programs.
#include "support/catch.hpp"
