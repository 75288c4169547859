// A program without tests, whose Catch2 is precompiled for all the others.
#include "support/catch.hpp"
