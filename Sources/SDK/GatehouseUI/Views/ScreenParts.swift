// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
  public import Foundation
  public import SwiftUI

  /// The views that only the app can give: the camera, and the web view of another party's page.
  public struct ScreenParts {
    /// Looks for codes, and gives the text of each.
    public var scanner: @MainActor (_ scanned: @escaping (String) -> Void) -> AnyView
    /// Loads an address without cookies of earlier pages, asks before each navigation whether it is the end, cancels it
    /// then, and gives it back; nil when the user leaves.
    public var page:
      @MainActor (_ address: String, _ isEnd: @escaping (String) -> Bool, _ ended: @escaping (String?) -> Void)
        -> AnyView
    /// Shows the picture of a camera with a frame, gives what it measures some times a second, and the bytes of each
    /// JPEG or PNG file that the user takes.
    public var camera:
      @MainActor (
        _ frame: CameraFrame, _ seen: @escaping (CameraReading) -> Void, _ taken: @escaping (Data) -> Void
      ) -> AnyView

    /// Creates the value from its members.
    /// - Parameter camera: may be left out by an app whose screens take no pictures, such as the Authenticator.
    public init(
      scanner: @escaping @MainActor (_ scanned: @escaping (String) -> Void) -> AnyView,
      page:
        @escaping @MainActor (
          _ address: String, _ isEnd: @escaping (String) -> Bool, _ ended: @escaping (String?) -> Void
        ) -> AnyView,
      camera:
        @escaping @MainActor (
          _ frame: CameraFrame, _ seen: @escaping (CameraReading) -> Void, _ taken: @escaping (Data) -> Void
        ) -> AnyView = { _, _, _ in AnyView(EmptyView()) }
    ) {
      (self.scanner, self.page, self.camera) = (scanner, page, camera)
    }
  }

  /// How the screens look.
  public struct ScreenTheme {
    /// Of buttons, switches and bars.
    public var accent: Color
    /// Between elements, in points.
    public var spacing: CGFloat
    /// Of texts; `Font.custom(_:size:relativeTo:)` follows the size that the user has set.
    public var fonts: ScreenFonts
    /// Of buttons, in points; nil for the system's, which macOS 13 always has.
    public var cornerRadius: CGFloat?
    /// Shown above every title, as high as `logoHeight`; not read aloud. Nil where there is no logo.
    public var logo: Image?
    /// In points.
    public var logoHeight: CGFloat

    /// Creates the value from its members.
    public init(
      accent: Color = .accentColor, spacing: CGFloat = 16, fonts: ScreenFonts = ScreenFonts(),
      cornerRadius: CGFloat? = nil, logo: Image? = nil, logoHeight: CGFloat = 40
    ) {
      (self.accent, self.spacing, self.fonts, self.cornerRadius) = (accent, spacing, fonts, cornerRadius)
      (self.logo, self.logoHeight) = (logo, logoHeight)
    }
  }

  /// The fonts of screens.
  public struct ScreenFonts {
    /// Of a screen's title.
    public var title: Font
    /// Of parts of it, of fields and of rows.
    public var heading: Font
    /// Of everything else.
    public var body: Font
    /// Of notes, and of what a value is.
    public var note: Font

    /// Creates the value from its members.
    public init(
      title: Font = .largeTitle, heading: Font = .headline, body: Font = .body, note: Font = .footnote
    ) {
      (self.title, self.heading, self.body, self.note) = (title, heading, body, note)
    }
  }
#endif
