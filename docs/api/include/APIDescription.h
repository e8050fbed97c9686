#pragma once

/// The description of every route in OpenAPI 3.1, built in from openapi.yaml. UTF-8, ends in a NUL.
const char *_Nonnull openapi_yaml(void);
