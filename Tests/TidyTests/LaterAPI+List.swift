// SPDX-License-Identifier: Apache-2.0

extension LaterAPI {
  /// In the order of the versions. What an app's developer would miss is added when it is met.
  static let all: [LaterAPI] = [
    LaterAPI(
      ["presentationBackground", "presentationCornerRadius", "scrollBounceBehavior"],
      { /\.(presentationBackground|presentationCornerRadius|scrollBounceBehavior)\(/ },
      since: .init(major: 16, minor: 4),
      cure: "ask #available; the sheet works without",
      bad: ".presentationCornerRadius(12)", good: ".presentationDetents([.medium])"),
    LaterAPI(
      ["isInspectable"], { /\.isInspectable\b/ }, since: .init(major: 16, minor: 4), cure: "ask #available",
      bad: "view.isInspectable = true", good: "let isInspectable = true"),
    LaterAPI(
      ["DiscardingTaskGroup"], { /\b(with(Throwing)?)?(Throwing)?DiscardingTaskGroup\b/ }, since: .init(major: 17),
      cure: "withTaskGroup, and take its results away",
      bad: "await withDiscardingTaskGroup { group in", good: "await withTaskGroup(of: Void.self) { group in"),
    LaterAPI(
      ["Observable", "Observation", "@Bindable"],
      { /@Observable\b|\bimport Observation\b|\bwithObservationTracking\b|@Bindable\b/ },
      since: .init(major: 17), cure: "ObservableObject and @ObservedObject",
      bad: "@Observable final class A {", good: "final class A: ObservableObject {"),
    LaterAPI(
      ["#Predicate", "#Expression"], { /#(Predicate|Expression)\b/ }, since: .init(major: 17), cure: "a closure",
      bad: "#Predicate<A> { $0.b }", good: "filter { $0.b }"),
    LaterAPI(
      ["<each "], { /\b(struct|class|enum|actor) \w+<[^>]*each\b/ }, since: .init(major: 17),
      cure: "a generic function: only types with packs need the newer runtime",
      bad: "struct A<each B> {", good: "func a<each B>(_ b: repeat each B) {"),
    LaterAPI(
      ["HPKE"], { /\bHPKE\b/ }, since: .init(major: 17), cure: "ECIES of PowerAuthCore", bad: "HPKE.Sender",
      good: "let HPKEs = 1"),
    LaterAPI(
      ["encodingInvalidCharacters"], { /\bencodingInvalidCharacters:/ }, since: .init(major: 17),
      cure: "URL(string:), and check",
      bad: "URL(string: a, encodingInvalidCharacters: false)", good: "URL(string: a)"),
    LaterAPI(
      ["NWPathMonitor"], { /for await .* in .*NWPathMonitor/ }, since: .init(major: 17), cure: "its pathUpdateHandler",
      bad: "for await path in NWPathMonitor() {", good: "NWPathMonitor().start(queue: queue)"),
    LaterAPI(
      ["CLLocationUpdate", "CLMonitor", "CLServiceSession"], { /\bCL(LocationUpdate|Monitor|ServiceSession)\b/ },
      since: .init(major: 17), cure: "CLLocationManager", bad: "CLLocationUpdate.liveUpdates()",
      good: "CLLocationManager()"),
    LaterAPI(
      ["RotationCoordinator", "videoRotationAngle"], { /\.(RotationCoordinator|videoRotationAngle)\b/ },
      since: .init(major: 17),
      cure: "videoOrientation", bad: "connection.videoRotationAngle = 90",
      good: "connection.videoOrientation = .portrait"),
    LaterAPI(
      ["registerForTraitChanges", "sceneCaptureState", "traitOverrides"],
      { /\b(registerForTraitChanges|sceneCaptureState|traitOverrides)\b/ }, since: .init(major: 17),
      cure: "traitCollectionDidChange, UIScreen.isCaptured", bad: "traitCollection.sceneCaptureState",
      good: "screen.isCaptured"),
    LaterAPI(
      [
        "ContentUnavailableView", "sensoryFeedback", "symbolEffect", "containerRelativeFrame", "scrollTarget",
        "scrollPosition", "contentMargins", "PhaseAnimator", "KeyframeAnimator", "onKeyPress", "Previewable",
        "scrollClipDisabled", "defaultScrollAnchor", "AccessibilityNotification", "listSectionSpacing",
      ],
      {
        #/
        \b(ContentUnavailableView|PhaseAnimator|KeyframeAnimator|AccessibilityNotification)\b|@Previewable\b
        |\.(sensoryFeedback|symbolEffect|containerRelativeFrame|scrollTarget(Behavior|Layout)|scrollPosition)\(
        |\.(contentMargins|onKeyPress|scrollClipDisabled|defaultScrollAnchor|listSectionSpacing)\(
        /#
      }, since: .init(major: 17), cure: "what SwiftUI of iOS 16 has, or ask #available",
      bad: ".sensoryFeedback(.success, trigger: a)", good: ".scrollDismissesKeyboard(.immediately)"),
    LaterAPI(
      ["onChange(of:"], { /\.onChange\(of:[^{]*\)\s*\{(?!\s*(\[\w+\]\s*)?\w+\s+in\b)|\.onChange\(of:.*initial:/ },
      since: .init(major: 17), cure: "the closure of one parameter, { new in … }, named on the line of its brace",
      bad: ".onChange(of: a) { old, new in", good: ".onChange(of: a) { new in"),
    LaterAPI(
      ["Synchronization", "Mutex<", "Mutex(", "Atomic<", "Atomic("],
      { /\bimport Synchronization\b|\b(Mutex|Atomic)[<(]/ },
      since: .init(major: 18), cure: "Guarded, of Locks", bad: "let a = Mutex(1)", good: "let a = Guarded(1)"),
    LaterAPI(
      ["Int128"], { /\bU?Int128\b/ }, since: .init(major: 18), cure: "multipliedFullWidth", bad: "UInt128(1)",
      good: "UInt64(1)"),
    LaterAPI(
      ["RangeSet", "indices(where:"], { /\bRangeSet\b|\.indices\(where:/ }, since: .init(major: 18),
      cure: "indices.filter",
      bad: "a.indices(where: { $0 })", good: "a.firstIndex(where: { $0 })"),
    LaterAPI(
      ["AsyncSequence<"], { /\bAsyncSequence</ }, since: .init(major: 18),
      cure: "AsyncThrowingStream, or a type of our own",
      bad: "func a() -> some AsyncSequence<Int, Never> {", good: "struct A: AsyncSequence {"),
    LaterAPI(
      ["TaskExecutor"], { /\b(TaskExecutor|withTaskExecutorPreference)\b/ }, since: .init(major: 18), cure: "an actor",
      bad: "final class A: TaskExecutor {", good: "actor A {"),
    LaterAPI(
      ["String(validating:"], { /\bString\(validating:/ }, since: .init(major: 18), cure: "String(bytes:encoding:)",
      bad: "String(validating: a, as: UTF8.self)", good: "String(decoding: a, as: UTF8.self)"),
    LaterAPI(
      ["domainState"], { /\.domainState\b/ }, since: .init(major: 18), cure: "evaluatedPolicyDomainState",
      bad: "context.domainState", good: "context.evaluatedPolicyDomainState"),
    LaterAPI(
      ["RecognizeTextRequest", "ImageRequestHandler", "DetectFace", "DetectBarcodesRequest", "DetectDocument"],
      {
        /\b(RecognizeTextRequest|ImageRequestHandler|Detect(Face\w*|Barcodes|Document\w*)Request)\b/
      },
      since: .init(major: 18), cure: "the same with VN before its name",
      bad: "RecognizeTextRequest()", good: "VNRecognizeTextRequest()"),
    LaterAPI(
      ["isolated deinit"], { /\bisolated deinit\b/ }, since: .init(major: 18, minor: 4), cure: "end it by a call",
      bad: "isolated deinit {", good: "deinit {"),
    LaterAPI(
      ["InlineArray", "UTF8Span"], { /\b(InlineArray|UTF8Span)\b/ }, since: .init(major: 26), cure: "Array",
      bad: "InlineArray<4, UInt8>", good: "Array<UInt8>"),
    LaterAPI(
      ["Task"], { /\bTask\.(immediate|name)\b|\bTask\(name:/ }, since: .init(major: 26), cure: "Task { … }",
      bad: "Task.immediate {", good: "Task { await a() }"),
    LaterAPI(
      ["MLKEM", "MLDSA", "XWing", "SHA3_"], { /\b(MLKEM\w*|MLDSA\w*|XWing\w*|SHA3_\d+)\b/ }, since: .init(major: 26),
      cure: "nothing yet: ask #available", bad: "MLKEM768.PrivateKey()", good: "P256.Signing.PrivateKey()"),
    LaterAPI(
      ["NetworkConnection", "NetworkListener", "WebPage", "glassEffect"],
      { /\bNetwork(Connection|Listener)\b|\bWebPage\b|\.glassEffect\(/ }, since: .init(major: 26),
      cure: "NWConnection, WKWebView", bad: "let page = WebPage()", good: "let page = WKWebView()"),
  ]
}
