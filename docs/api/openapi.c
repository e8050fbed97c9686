#include "APIDescription.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

// Read by the compiler as bytes: an array of numbers in Swift takes it minutes.
static const char document[] = {
#embed "openapi.yaml"
  , 0
};

const char *openapi_yaml(void) { return document; }
