// The same program in the other language.
#include "consumer.c" // NOLINT(bugprone-suspicious-include)
