// SPDX-License-Identifier: Apache-2.0

import PictureScenes

@testable import Evidence

extension Scene {
  init(_ frame: Frame) throws {
    let plane = try LumaPlane(frame)
    self.init(width: plane.width, height: plane.height, luma: plane.luma)
  }

  func frame() throws -> Frame { try Pictures.frame(raw) }
}
