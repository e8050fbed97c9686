// SPDX-License-Identifier: Apache-2.0

#include "CAPIDescription.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

// Read by the compiler as bytes: an array of numbers in Swift takes it minutes.
#define FILE_BEGINS(name) static const char name[] = {
#define FILE_ENDS , 0 };

FILE_BEGINS(casework)
#embed "casework.yaml"
FILE_ENDS
FILE_BEGINS(common)
#embed "common.yaml"
FILE_ENDS
FILE_BEGINS(finaptic)
#embed "finaptic.yaml"
FILE_ENDS
FILE_BEGINS(oneassist)
#embed "oneassist.yaml"
FILE_ENDS
FILE_BEGINS(powerauth)
#embed "powerauth.yaml"
FILE_ENDS
FILE_BEGINS(rubix)
#embed "rubix.yaml"
FILE_ENDS
FILE_BEGINS(saltedge)
#embed "saltedge.yaml"
FILE_ENDS
FILE_BEGINS(screening)
#embed "screening.yaml"
FILE_ENDS
FILE_BEGINS(wultra)
#embed "wultra.yaml"
FILE_ENDS

static const struct api_file files[] = {
  { "casework.yaml", casework },   { "common.yaml", common },       { "finaptic.yaml", finaptic },
  { "oneassist.yaml", oneassist }, { "powerauth.yaml", powerauth }, { "rubix.yaml", rubix },
  { "saltedge.yaml", saltedge },   { "screening.yaml", screening }, { "wultra.yaml", wultra },
};

const struct api_file *api_files(void) { return files; }

int api_files_count(void) { return sizeof files / sizeof files[0]; }
