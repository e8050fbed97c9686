// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftUI
import WebKit

/// A page of another party. It begins without cookies of earlier pages, and every navigation is asked about: the one
/// that is the end is not followed.
struct WebPage: UIViewRepresentable {
  let address: String
  let isEnd: (String) -> Bool
  let ended: (String?) -> Void

  func makeCoordinator() -> WebPageGuide { WebPageGuide(isEnd, ended) }

  func makeUIView(context: Context) -> WKWebView {
    let configuration = WKWebViewConfiguration()
    configuration.websiteDataStore = .nonPersistent()
    let view = WKWebView(frame: .zero, configuration: configuration)
    view.navigationDelegate = context.coordinator
    if let url = URL(string: address) { _ = view.load(URLRequest(url: url)) } else { ended(nil) }
    return view
  }

  func updateUIView(_ view: WKWebView, context: Context) {
    (context.coordinator.isEnd, context.coordinator.ended) = (isEnd, ended)
  }
}

/// Follows a page until its end.
@MainActor
final class WebPageGuide: NSObject, WKNavigationDelegate {
  var isEnd: (String) -> Bool
  var ended: (String?) -> Void

  init(_ isEnd: @escaping (String) -> Bool, _ ended: @escaping (String?) -> Void) {
    (self.isEnd, self.ended) = (isEnd, ended)
  }

  func webView(
    _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction,
    decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy) -> Void
  ) {
    guard let address = navigationAction.request.url?.absoluteString, isEnd(address) else {
      return decisionHandler(.allow)
    }
    decisionHandler(.cancel)
    ended(address)
  }

  func webView(_ webView: WKWebView, didFinish navigation: WKNavigation!) {}

  // The page that did not load stays, and the user can go back. What was cancelled above arrives here as well.
  func webView(_ webView: WKWebView, didFail navigation: WKNavigation!, withError error: any Error) {}

  func webView(_ webView: WKWebView, didFailProvisionalNavigation navigation: WKNavigation!, withError error: any Error)
  {
  }
}
