// SPDX-License-Identifier: Apache-2.0

// What ZXing is given to look for PDF417 in, and what looking there will cost it.
#pragma once

#include <opencv2/core.hpp>

namespace cvision {

/// Makes each pixel black (0) or white (255) by the light around it, as ZXing does. ZXing takes such a picture as it
/// is, so that what is counted in it is what ZXing finds.
/// - Parameter grey: at least 40 pixels wide and high.
void blacken(cv::Mat &grey);

/// Rows in which ZXing would look for code words behind something like a start pattern of PDF417, in any of four
/// directions, and no less than that. Each place of 10 rows and more counts 12 besides: the rest of the
/// picture is then searched for its end.
/// - Parameter ink: black and white.
/// - Parameter most: counting ends when there are more.
long startRows(const cv::Mat &ink, long most);

}  // namespace cvision
