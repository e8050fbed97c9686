// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// What a bucket answers: lists of objects and of uploads. No key comes out that is not one of ours.
func fuzz(_ bytes: Data) {
  for prefix in ["", "a/b/"] {
    if let page = S3Listing.objects(bytes, below: prefix) {
      precondition(page.objects.allSatisfy { BlobKey.isValid($0.key) && $0.byteCount >= 0 })
    }
    if let page = S3Listing.uploads(bytes, below: prefix) {
      precondition(page.uploads.allSatisfy { BlobKey.isValid($0.key) && !$0.id.isEmpty })
    }
  }
}
