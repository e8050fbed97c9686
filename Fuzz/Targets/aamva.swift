// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation

func fuzz(_ bytes: Data) {
  let licence = try? AAMVA.parse(text(bytes))
  precondition(licence?.elements.isEmpty != true)
}
