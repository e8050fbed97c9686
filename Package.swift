// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// Every target and what it may see; nothing clever. The layers are described in docs/architecture.md.

import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
]

/// For modules that tests wait minutes for without it: pictures drawn and turned, names compared, documents checked.
/// Never for a suite itself, which takes three times as long to compile with it (decision 149).
let optimised: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// For C of our own that goes over every pixel. CI builds C with `-O1`, which stands behind what a target asks for; what
/// the driver hands on is read last (decision 209).
let optimisedC = ["-O2", "-Xclang", "-O2", "-fvectorize", "-fslp-vectorize"]

let package = Package(
  name: "gatehouse",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "RubixOnboarding", targets: ["RubixOnboarding"]),
    .library(name: "PowerAuth2", targets: ["PowerAuth2", "PowerAuthCore"]),
    .library(name: "WultraPowerAuthNetworking", targets: ["WultraPowerAuthNetworking"]),
    .library(name: "WultraDigitalOnboarding", targets: ["WultraDigitalOnboarding"]),
    .library(name: "SaltEdgeAuthenticator", targets: ["SaltEdgeAuthenticator"]),
    .library(name: "GatehouseUI", targets: ["AuthenticatorUI", "GatehouseUI"]),
    .library(name: "OnboardingUI", targets: ["OnboardingUI", "OnboardingScreens", "GatehouseUI"]),
    .library(name: "WultraOnboardingUI", targets: ["WultraOnboardingUI", "OnboardingScreens", "GatehouseUI"]),
    .library(name: "OneAssistSDK", targets: ["OneAssistSDK"]),
    .library(name: "OneAssistUI", targets: ["OneAssistUI", "GatehouseUI"]),
    .library(name: "SEAuthenticatorCore", targets: ["SEAuthenticatorCore"]),
    .library(name: "SEAuthenticator", targets: ["SEAuthenticator"]),
    .library(name: "SEAuthenticatorV2", targets: ["SEAuthenticatorV2"]),
    .library(name: "Finaptic", targets: ["Finaptic"]),
    .library(name: "FinapticUI", targets: ["FinapticUI", "GatehouseUI"]),
    .executable(name: "gatehouse", targets: ["gatehouse"]),
    .executable(name: "gatehouse-demo", targets: ["GatehouseDemo"]),
    .executable(name: "gatehouse-lab", targets: ["GatehouseLab"]),
  ],
  dependencies: [
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
    .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
    .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
  ],
  targets: [
    // MARK: Shared: pure, what both ends must say or compute alike
    .target(name: "GatehouseWire", path: "Sources/Shared/GatehouseWire", swiftSettings: strict),
    // A lock that runs on every system which the SDKs support.
    .target(name: "Locks", path: "Sources/Shared/Locks", swiftSettings: strict),
    .target(
      name: "RubixWire", dependencies: ["GatehouseWire"], path: "Sources/Shared/RubixWire", swiftSettings: strict),
    .target(
      name: "WultraWire", dependencies: ["GatehouseWire"], path: "Sources/Shared/WultraWire", swiftSettings: strict),
    .target(
      name: "SaltEdgeWire", dependencies: ["GatehouseWire"], path: "Sources/Shared/SaltEdgeWire", swiftSettings: strict),
    .target(name: "OneAssistWire", path: "Sources/Shared/OneAssistWire", swiftSettings: strict),
    .target(
      name: "FinapticWire", dependencies: ["GatehouseWire"], path: "Sources/Shared/FinapticWire", swiftSettings: strict),
    .target(name: "DocumentCore", path: "Sources/Shared/DocumentCore", swiftSettings: strict),
    // The ciphers and derivations that both protocols are built of.
    .target(
      name: "CryptoPrimitives",
      dependencies: [
        .product(name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.linux])),
        .product(name: "CryptoExtras", package: "swift-crypto", condition: .when(platforms: [.linux])),
      ],
      path: "Sources/Shared/CryptoPrimitives", swiftSettings: strict),
    .target(
      name: "PowerAuthCore",
      dependencies: [
        "CryptoPrimitives", "GatehouseWire", "Locks",
        .product(name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.linux])),
      ],
      path: "Sources/Shared/PowerAuthCore", swiftSettings: strict),
    .target(
      name: "SaltEdgeCore",
      dependencies: [
        "CryptoPrimitives", "GatehouseWire",
        .product(name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.linux])),
        .product(name: "CryptoExtras", package: "swift-crypto", condition: .when(platforms: [.linux])),
      ],
      path: "Sources/Shared/SaltEdgeCore", swiftSettings: strict),
    .target(
      name: "OneAssistCore",
      dependencies: [.product(name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.linux]))],
      path: "Sources/Shared/OneAssistCore", swiftSettings: strict),

    // MARK: SDK: what apps import
    .target(
      name: "GatehouseTransport",
      dependencies: [
        "Locks", .product(name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.linux])),
      ],
      path: "Sources/SDK/GatehouseTransport", swiftSettings: strict),
    .target(
      name: "RubixOnboarding", dependencies: ["GatehouseTransport", "GatehouseWire", "RubixWire"],
      path: "Sources/SDK/RubixOnboarding", swiftSettings: strict),
    .target(
      name: "PowerAuth2", dependencies: ["GatehouseTransport", "Locks", "PowerAuthCore"],
      path: "Sources/SDK/PowerAuth2",
      swiftSettings: strict),

    .target(
      name: "WultraPowerAuthNetworking", dependencies: ["GatehouseTransport", "Locks", "PowerAuth2", "PowerAuthCore"],
      path: "Sources/SDK/WultraPowerAuthNetworking", swiftSettings: strict),
    .target(
      name: "WultraDigitalOnboarding",
      dependencies: [
        "GatehouseTransport", "GatehouseWire", "Locks", "PowerAuth2", "PowerAuthCore", "WultraPowerAuthNetworking",
        "WultraWire",
      ],
      path: "Sources/SDK/WultraDigitalOnboarding",
      swiftSettings: strict + [.define("ENABLE_ONBOARDING_DEMO", .when(configuration: .debug))]),
    .target(
      name: "SaltEdgeAuthenticator",
      dependencies: ["GatehouseTransport", "GatehouseWire", "Locks", "SaltEdgeCore", "SaltEdgeWire"],
      path: "Sources/SDK/SaltEdgeAuthenticator", swiftSettings: strict),
    // The published names over the same calls.
    .target(
      name: "SEAuthenticatorCore",
      dependencies: [
        "GatehouseTransport", "GatehouseWire", "Locks", "SaltEdgeAuthenticator", "SaltEdgeCore", "SaltEdgeWire",
      ],
      path: "Sources/SDK/SEAuthenticatorCore", swiftSettings: strict),
    .target(
      name: "SEAuthenticator",
      dependencies: ["SaltEdgeAuthenticator", "SaltEdgeCore", "SaltEdgeWire", "SEAuthenticatorCore"],
      path: "Sources/SDK/SEAuthenticator", swiftSettings: strict),
    .target(
      name: "SEAuthenticatorV2",
      dependencies: ["GatehouseWire", "SaltEdgeAuthenticator", "SaltEdgeCore", "SaltEdgeWire", "SEAuthenticatorCore"],
      path: "Sources/SDK/SEAuthenticatorV2", swiftSettings: strict),
    // Screens as values, and what runs them; then the screens of each system.
    .target(
      name: "GatehouseUI", dependencies: ["GatehouseWire"], path: "Sources/SDK/GatehouseUI", swiftSettings: strict),
    .target(
      name: "AuthenticatorUI", dependencies: ["GatehouseUI", "SaltEdgeAuthenticator"],
      path: "Sources/SDK/AuthenticatorUI", swiftSettings: strict),
    // What the screens of every onboarding share, and those of Rubix.
    .target(
      name: "OnboardingScreens", dependencies: ["CryptoPrimitives", "GatehouseUI", "GatehouseWire"],
      path: "Sources/SDK/OnboardingScreens", swiftSettings: strict),
    .target(
      name: "OnboardingUI",
      dependencies: ["CryptoPrimitives", "GatehouseUI", "OnboardingScreens", "RubixOnboarding"],
      path: "Sources/SDK/OnboardingUI", swiftSettings: strict),
    .target(
      name: "WultraOnboardingUI",
      dependencies: [
        "CryptoPrimitives", "GatehouseTransport", "GatehouseUI", "GatehouseWire", "OnboardingScreens",
        "WultraDigitalOnboarding",
      ],
      path: "Sources/SDK/WultraOnboardingUI", swiftSettings: strict),
    .target(
      name: "Finaptic",
      dependencies: [
        "FinapticWire", "GatehouseTransport", "GatehouseWire", "Locks",
        .product(name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.linux])),
        .product(name: "OpenCombine", package: "OpenCombine", condition: .when(platforms: [.linux])),
      ],
      path: "Sources/SDK/Finaptic", swiftSettings: strict),
    .target(
      name: "OneAssistSDK",
      dependencies: ["GatehouseTransport", "GatehouseWire", "Locks", "OneAssistCore", "OneAssistWire"],
      path: "Sources/SDK/OneAssistSDK", swiftSettings: strict),
    .target(
      name: "OneAssistUI",
      dependencies: ["CryptoPrimitives", "GatehouseUI", "GatehouseWire", "OneAssistCore", "OneAssistSDK"],
      path: "Sources/SDK/OneAssistUI", swiftSettings: strict),
    .target(
      name: "FinapticUI", dependencies: ["CryptoPrimitives", "Finaptic", "GatehouseUI", "GatehouseWire"],
      path: "Sources/SDK/FinapticUI", swiftSettings: strict),

    // MARK: Server
    .target(
      name: "Storage",
      dependencies: [
        "CPostgres", "CSQLiteLog", .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      path: "Sources/Server/Storage", swiftSettings: strict),
    .target(
      name: "Kit",
      dependencies: [
        "CPKCS11", "CZlib", "Storage", .product(name: "Configuration", package: "swift-configuration"),
        .product(name: "Crypto", package: "swift-crypto"), .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "SwiftASN1", package: "swift-asn1"), .product(name: "X509", package: "swift-certificates"),
      ],
      path: "Sources/Server/Kit", swiftSettings: strict),
    .target(
      name: "HTTP",
      dependencies: [
        "GatehouseWire", "Kit", "Storage", .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ],
      path: "Sources/Server/HTTP", swiftSettings: strict),

    .target(
      name: "ObjectStorage",
      dependencies: [
        "Kit", .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      path: "Sources/Server/ObjectStorage", swiftSettings: strict),

    // Everything that comes with an implementation of TLS: the server's own certificate, and buckets. The program that
    // is installed links it, and that of the demonstration does not (decision 235).
    .target(
      name: "ServerTLS",
      dependencies: [
        "HTTP", "Kit", "ObjectStorage", .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdHTTP2", package: "hummingbird"),
      ],
      path: "Sources/Server/ServerTLS", swiftSettings: strict),

    // C and C++ libraries of Debian, each behind one C header.
    .systemLibrary(
      name: "CPostgres", path: "Sources/Server/CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(name: "CMemory", path: "Sources/Server/CMemory"),
    .systemLibrary(name: "CScheduling", path: "Sources/Server/CScheduling"),
    .systemLibrary(
      name: "CArgon2", path: "Sources/Server/CArgon2", pkgConfig: "libargon2", providers: [.apt(["libargon2-dev"])]),
    .systemLibrary(
      name: "CZlib", path: "Sources/Server/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(
      name: "CSQLiteLog", path: "Sources/Server/CSQLiteLog", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(
      name: "CPKCS11", path: "Sources/Server/CPKCS11",
      cSettings: [.unsafeFlags(["-isystem", "/usr/include/p11-kit-1"])], linkerSettings: [.linkedLibrary("dl")]),
    .target(
      name: "CTransfer", path: "Sources/Server/CTransfer", linkerSettings: [.linkedLibrary("curl")]),
    .target(
      name: "CVision", path: "Sources/Server/CVision",
      // Without fused products: each processor makes the same of a line.
      cxxSettings: [.unsafeFlags(["-isystem", "/usr/include/opencv4", "-ffp-contract=off"] + optimisedC)],
      linkerSettings: [
        .linkedLibrary("opencv_core"), .linkedLibrary("opencv_imgproc"), .linkedLibrary("opencv_objdetect"),
        .linkedLibrary("opencv_dnn"), .linkedLibrary("tesseract"), .linkedLibrary("lept"), .linkedLibrary("ZXing"),
        .linkedLibrary("jpeg"), .linkedLibrary("png"),
      ]),
    .target(
      name: "CPaper", path: "Sources/Server/CPaper",
      cSettings: [
        .unsafeFlags([
          "-isystem", "/usr/include/pango-1.0", "-isystem", "/usr/include/glib-2.0",
          "-isystem", "/usr/lib/x86_64-linux-gnu/glib-2.0/include",
          "-isystem", "/usr/lib/aarch64-linux-gnu/glib-2.0/include", "-isystem", "/usr/include/harfbuzz",
          "-isystem", "/usr/include/cairo", "-isystem", "/usr/include/freetype2", "-O2",
        ])
      ],
      linkerSettings: [
        .linkedLibrary("pangocairo-1.0"), .linkedLibrary("pango-1.0"), .linkedLibrary("gobject-2.0"),
        .linkedLibrary("glib-2.0"), .linkedLibrary("harfbuzz"), .linkedLibrary("cairo"),
      ]),
    .target(
      name: "CSpecimen", path: "Lab/CSpecimen",
      cSettings: [.unsafeFlags(["-isystem", "/usr/include/freetype2"] + optimisedC)],
      cxxSettings: [.unsafeFlags(optimisedC)],
      linkerSettings: [
        .linkedLibrary("cairo"), .linkedLibrary("freetype"), .linkedLibrary("jpeg"), .linkedLibrary("png"),
        .linkedLibrary("ZXing"),
      ]),

    // MARK: Capabilities: what several flows need. Who may see whom is what these lists say.
    // A target of its own, because it needs Pango and Cairo.
    .target(
      name: "Paper", dependencies: ["CPaper"], path: "Sources/Server/Capabilities/Paper", swiftSettings: strict),
    .target(
      name: "ReferenceData", path: "Sources/Server/Capabilities/ReferenceData", swiftSettings: strict),
    .target(
      name: "Ledger", dependencies: ["Kit", "ReferenceData", "Storage"], path: "Sources/Server/Capabilities/Ledger",
      swiftSettings: strict),
    .target(
      name: "Payments", dependencies: ["DocumentCore", "GatehouseWire", "Ledger", "ReferenceData"],
      path: "Sources/Server/Capabilities/Payments", swiftSettings: strict),
    .target(
      name: "Activations",
      dependencies: ["Kit", "PowerAuthCore", "Storage", .product(name: "Crypto", package: "swift-crypto")],
      path: "Sources/Server/Capabilities/Activations", swiftSettings: strict),
    .target(
      name: "Screening",
      dependencies: ["DocumentCore", "Kit", "Storage", .product(name: "Crypto", package: "swift-crypto")],
      path: "Sources/Server/Capabilities/Screening", swiftSettings: strict + optimised),
    .target(
      name: "Forms", dependencies: ["GatehouseWire", "ReferenceData", "RubixWire"],
      path: "Sources/Server/Capabilities/Forms", swiftSettings: strict),
    .target(
      name: "Delivery",
      dependencies: [
        "CScheduling", "CTransfer", "Kit", "Storage", .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"), .product(name: "JWTKit", package: "jwt-kit"),
      ],
      path: "Sources/Server/Capabilities/Delivery", swiftSettings: strict),
    .target(
      name: "Identity",
      dependencies: [
        "CArgon2", "Delivery", "GatehouseWire", "Kit", "Storage", .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"), .product(name: "JWTKit", package: "jwt-kit"),
      ],
      path: "Sources/Server/Capabilities/Identity", swiftSettings: strict),
    .target(
      name: "Conversations", dependencies: ["Kit", "Storage"], path: "Sources/Server/Capabilities/Conversations",
      swiftSettings: strict),
    // What waits for people. It sees Identity, because a case is held by a member of staff.
    .target(
      name: "Casework",
      dependencies: [
        "Identity", "Kit", "Storage", .product(name: "Configuration", package: "swift-configuration"),
      ],
      path: "Sources/Server/Capabilities/Casework", swiftSettings: strict),
    .target(
      name: "Scheduling", dependencies: ["DocumentCore", "Kit", "Storage"],
      path: "Sources/Server/Capabilities/Scheduling",
      swiftSettings: strict),
    .target(
      name: "Evidence",
      dependencies: [
        "CVision", "DocumentCore", "Kit", "OneAssistCore", .product(name: "Crypto", package: "swift-crypto"),
      ],
      path: "Sources/Server/Capabilities/Evidence",
      resources: [
        .embedInCode("Templates/icao-passport.json"), .embedInCode("Templates/icao-td1-front.json"),
        .embedInCode("Templates/iso-18013-licence.json"), .embedInCode("Templates/aamva-licence.json"),
      ],
      swiftSettings: strict),
    .target(
      name: "Specimens", dependencies: ["CSpecimen", "DocumentCore"], path: "Lab/Specimens",
      swiftSettings: strict),
    .target(
      name: "PowerAuthHTTP",
      dependencies: [
        "Activations", "GatehouseWire", "HTTP", "Identity", "Kit", "PowerAuthCore", "Storage",
        .product(name: "Configuration", package: "swift-configuration"),
      ],
      path: "Sources/Server/PowerAuthHTTP", swiftSettings: strict),
    .target(
      name: "CaseworkHTTP", dependencies: ["Casework", "HTTP", "Kit"], path: "Sources/Server/CaseworkHTTP",
      swiftSettings: strict),
    .target(
      name: "ScreeningHTTP",
      dependencies: ["DocumentCore", "GatehouseWire", "HTTP", "Identity", "Kit", "Screening", "Storage"],
      path: "Sources/Server/ScreeningHTTP", swiftSettings: strict),
    .target(
      name: "RubixFlow",
      dependencies: [
        "Delivery", "DocumentCore", "Evidence", "Forms", "GatehouseWire", "HTTP", "Identity", "Kit", "ReferenceData",
        "RubixWire", "Scheduling", "Screening", "Storage",
        .product(name: "Configuration", package: "swift-configuration"),
      ],
      path: "Sources/Server/RubixFlow", exclude: ["FLOW.md"], swiftSettings: strict),
    .target(
      name: "WultraFlow",
      dependencies: [
        "Activations", "Delivery", "DocumentCore", "Evidence", "GatehouseWire", "HTTP", "Identity", "Kit",
        "PowerAuthCore", "PowerAuthHTTP", "Storage", "WultraWire",
        .product(name: "Configuration", package: "swift-configuration"),
      ],
      path: "Sources/Server/WultraFlow", exclude: ["FLOW.md"], swiftSettings: strict),
    // What apps go through, for the demonstration and the tests.
    .target(
      name: "WultraStories",
      dependencies: [
        "GatehouseTransport", "PowerAuth2", "WultraDigitalOnboarding", "WultraPowerAuthNetworking", "WultraWire",
      ],
      path: "Lab/WultraStories", swiftSettings: strict),
    .target(
      name: "Fixtures",
      dependencies: [
        "Activations", "GatehouseWire", "Identity", "Kit", "RubixFlow", "RubixWire", "Storage", "WultraFlow",
      ],
      path: "Lab/Fixtures", swiftSettings: strict),
    // Kills a writer of one SQLite file again and again, for the fault runs and the tests.
    .target(
      name: "CrashTrials", dependencies: ["Kit", "Storage"], path: "Lab/CrashTrials", swiftSettings: strict),
    // A year of a bank's day ends, for the lab and the tests.
    .target(
      name: "LedgerSimulation", dependencies: ["CrashTrials", "GatehouseWire", "Kit", "Ledger", "Storage"],
      path: "Lab/LedgerSimulation", swiftSettings: strict),
    .target(
      name: "SaltEdgeFlow",
      dependencies: [
        "Delivery", "GatehouseWire", "HTTP", "Identity", "Kit", "ReferenceData", "SaltEdgeCore", "SaltEdgeWire",
        "Storage", .product(name: "Configuration", package: "swift-configuration"),
      ],
      path: "Sources/Server/SaltEdgeFlow", exclude: ["FLOW.md"], swiftSettings: strict),
    .target(
      name: "OneAssistFlow",
      dependencies: [
        "Delivery", "Evidence", "GatehouseWire", "HTTP", "Identity", "Kit", "OneAssistCore", "OneAssistWire", "Storage",
        .product(name: "Configuration", package: "swift-configuration"),
      ],
      path: "Sources/Server/OneAssistFlow", exclude: ["FLOW.md"], swiftSettings: strict),
    .target(
      name: "FinapticFlow",
      dependencies: [
        "Conversations", "Delivery", "DocumentCore", "Evidence", "FinapticWire", "GatehouseWire", "HTTP", "Identity",
        "Kit", "Ledger", "Paper", "Payments", "ReferenceData", "Scheduling", "Screening", "Storage",
        .product(name: "Configuration", package: "swift-configuration"),
      ],
      path: "Sources/Server/FinapticFlow", exclude: ["FLOW.md"],
      resources: [
        .embedInCode("ReferenceData/occupation.csv"), .embedInCode("ReferenceData/industry.csv"),
        .embedInCode("Addresses/addresses.csv"), .embedInCode("PersonalFinance/spending.csv"),
        .embedInCode("Onboarding/bundles.json"),
      ], swiftSettings: strict),
    // The files of the console's pages as bytes: Swift takes an array of numbers for them, and long (decision 235).
    .target(name: "CConsole", path: "Sources/Server/CConsole"),
    .target(
      name: "Console",
      dependencies: [
        "Casework", "CConsole", "Conversations", "Delivery", "DocumentCore", "Evidence", "GatehouseWire", "HTTP",
        "Identity", "Kit", "Paper", "ReferenceData", "SaltEdgeCore", "Scheduling", "Storage",
        .product(name: "Crypto", package: "swift-crypto"), .product(name: "Mustache", package: "swift-mustache"),
      ],
      path: "Sources/Server/Console",
      exclude: [
        "Approvals/ApprovalsPage.mustache", "AuditPages/AuditLogPage.mustache", "TemplatePages/TemplatesPage.mustache",
        "PolicyPages/PolicyPage.mustache", "RightsPages/RightsPage.mustache", "RightsPages/RightsDonePage.mustache",
        "AccountPages/AccountPage.mustache", "CallPages/AgentCallPage.mustache", "CalendarPages/BookingPage.mustache",
        "CalendarPages/CalendarPage.mustache", "CallPages/CallListPage.mustache", "CallPages/CallStage.mustache",
        "CallPages/CustomerCallPage.mustache", "CallPages/call.js", "ChatPages/ChatListPage.mustache",
        "ChatPages/ChatPage.mustache", "ChatPages/chat.js", "DeadLetters/DeadLettersPage.mustache",
        "DemoBank/DemoBankAccountPage.mustache", "DemoBank/DemoBankCode.mustache",
        "DemoBank/DemoBankConnectPage.mustache", "DemoBank/DemoBankEnrolPage.mustache",
        "DemoBank/DemoBankHomePage.mustache", "DemoBank/DemoBankOrderPage.mustache",
        "DemoBank/DemoBankPayPage.mustache", "DemoBank/DemoBankProblemPage.mustache", "Design/Frame.mustache",
        "Design/Words/ar.json", "Design/Words/en.json", "Design/Words/fr.json", "Design/again.js",
        "Design/gatehouse.css", "Design/icon.svg", "Design/LinkApprovalPage.mustache", "Design/idle.js",
        "DevOutboxPage.mustache",
        "Health/HealthPage.mustache", "Figures/FiguresPage.mustache", "OpenID/OpenIDArrivalPage.mustache",
        "Queue/CaseChecks.mustache", "Queue/CaseFilePage.mustache", "Queue/CasePicture.mustache",
        "Queue/CaseReason.mustache", "Queue/QueuePage.mustache", "Queue/ReceiptPage.mustache", "Queue/keys.js",
        "Queue/queue.js", "Queue/viewer.js", "RecordPages/RecordFilePage.mustache",
        "RecordPages/RecordListPage.mustache", "StaffPages/InvitationPage.mustache",
        "StaffPages/StaffDonePage.mustache", "StaffPages/StaffListPage.mustache",
        "StaffPages/StaffMemberPage.mustache", "Statements/StatementsPage.mustache", "Start/APIPage.mustache",
        "Start/FirstRunPage.mustache", "Start/StartPage.mustache", "Start/api.js", "UploadPage/UploadPage.mustache",
        "UploadPage/UploadProblemPage.mustache", "UploadPage/upload.js", "SignIn/AuthenticatorPage.mustache",
        "SignIn/RecoveryCodesPage.mustache", "SignIn/SecondFactorPage.mustache", "SignIn/StaffAccountPage.mustache",
        "SignIn/StaffSignInPage.mustache", "SignIn/passkey.js", "Design/StaffProblemPage.mustache",
        "WebhookPages/WebhookDeliveryPage.mustache", "WebhookPages/WebhookEndpointsPage.mustache",
        "WebhookPages/WebhookLogPage.mustache",
      ], swiftSettings: strict),
    // The list of modules and their composition.
    .target(
      name: "GatehouseApp",
      dependencies: [
        "Activations", "APIDescription", "Casework", "CaseworkHTTP", "CMemory", "Console", "Conversations", "Delivery",
        "DocumentCore", "Evidence", "FinapticFlow", "GatehouseWire", "HTTP", "Identity", "Kit", "Ledger",
        "OneAssistCore", "OneAssistFlow", "Payments", "PowerAuthHTTP", "ReferenceData", "RubixFlow", "RubixWire",
        "SaltEdgeFlow", "Scheduling", "Screening", "ScreeningHTTP", "Storage", "WultraFlow",
        .product(name: "Configuration", package: "swift-configuration"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      path: "Sources/Server/GatehouseApp", swiftSettings: strict),
    // The program that a bank runs.
    .executableTarget(
      name: "gatehouse",
      dependencies: [
        "Activations", "Casework", "CaseworkHTTP", "Console", "Conversations", "Delivery", "DocumentCore",
        "Evidence", "FinapticFlow", "FinapticWire", "GatehouseApp", "GatehouseWire", "HTTP", "Identity", "Kit",
        "Ledger",
        "OneAssistFlow", "Payments", "PowerAuthCore", "RubixFlow", "RubixWire", "SaltEdgeFlow", "Scheduling",
        "Screening", "ServerTLS", "Storage", "WultraFlow",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Configuration", package: "swift-configuration"),
      ],
      path: "Sources/Server/gatehouse", swiftSettings: strict),

    // Every state of every screen, for the lab and the tests.
    .target(
      name: "ScreenSpecimens",
      dependencies: [
        "AuthenticatorUI", "Finaptic", "FinapticUI", "GatehouseUI", "OneAssistCore", "OneAssistSDK", "OneAssistUI",
        "OnboardingUI", "RubixOnboarding", "SaltEdgeAuthenticator", "WultraDigitalOnboarding", "WultraOnboardingUI",
      ],
      path: "Lab/ScreenSpecimens", swiftSettings: strict),

    // MARK: Lab: what plays, measures and draws; never linked by the program that a bank runs
    // What `make demo` plays. It sees no bench, no screen and no TLS, because a fresh clone compiles all that it sees
    // before the first step shows (decision 235).
    .target(
      name: "Demonstration",
      dependencies: [
        "Console", "Conversations", "Delivery", "DocumentCore", "Evidence", "Finaptic", "FinapticFlow", "GatehouseApp",
        "GatehouseTransport", "GatehouseWire", "HTTP", "Identity", "Kit", "Ledger", "OneAssistCore", "OneAssistFlow",
        "OneAssistSDK", "Payments", "PowerAuthHTTP", "RubixOnboarding", "RubixWire", "SaltEdgeAuthenticator",
        "SaltEdgeCore", "SaltEdgeFlow", "Screening", "Specimens", "Storage", "WultraDigitalOnboarding", "WultraFlow",
        "WultraStories", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Lab/Demonstration", swiftSettings: strict),
    .executableTarget(
      name: "GatehouseDemo",
      dependencies: ["Demonstration", .product(name: "ArgumentParser", package: "swift-argument-parser")],
      path: "Lab/GatehouseDemo", swiftSettings: strict),
    .executableTarget(
      name: "GatehouseLab",
      dependencies: [
        "Activations", "Casework", "Conversations", "CrashTrials", "Delivery", "Demonstration", "DocumentCore",
        "Evidence", "Finaptic", "FinapticFlow", "FinapticWire", "Fixtures", "GatehouseApp", "GatehouseTransport",
        "GatehouseUI", "GatehouseWire", "HTTP", "Identity", "Kit", "Ledger", "LedgerSimulation", "OneAssistCore",
        "Payments", "PowerAuth2", "PowerAuthCore", "RubixFlow", "RubixOnboarding", "RubixWire", "SaltEdgeCore",
        "SaltEdgeFlow", "SaltEdgeWire", "Screening", "ScreenSpecimens", "ServerTLS", "Specimens", "Storage",
        "WultraDigitalOnboarding", "WultraFlow", "WultraPowerAuthNetworking",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      path: "Lab/GatehouseLab", swiftSettings: strict),
    // The published document is a target, so that what is served is what is read.
    .target(
      name: "CAPIDescription", path: "docs/api",
      exclude: [
        "casework.yaml", "common.yaml", "finaptic.yaml", "oneassist.yaml", "powerauth.yaml", "rubix.yaml",
        "saltedge.yaml", "screening.yaml", "wultra.yaml",
      ]),
    .target(
      name: "APIDescription", dependencies: ["CAPIDescription", .product(name: "Yams", package: "Yams")],
      path: "Sources/Server/APIDescription", swiftSettings: strict),

    // MARK: Tests
    .target(
      name: "TestSupport",
      dependencies: [
        "CPostgres", "CrashTrials", "Kit", "PowerAuthCore", "SaltEdgeCore", "Storage",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdTesting", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Tests/TestSupport", swiftSettings: strict),
    .target(
      name: "OpenAPISupport",
      dependencies: [
        "APIDescription", .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdTesting", package: "hummingbird"), .product(name: "Yams", package: "Yams"),
      ],
      path: "Tests/OpenAPISupport", swiftSettings: strict + optimised),
    .executableTarget(
      name: "CrashWriter", dependencies: ["Kit", "Ledger", "Storage"], path: "Tests/CrashWriter",
      swiftSettings: strict),
    .testTarget(
      name: "DocumentCoreTests", dependencies: ["DocumentCore", "OpenAPISupport", "TestSupport"],
      path: "Tests/DocumentCoreTests",
      swiftSettings: strict),
    .testTarget(
      name: "PowerAuthCoreTests", dependencies: ["CryptoPrimitives", "PowerAuthCore", "TestSupport"],
      path: "Tests/PowerAuthCoreTests",
      swiftSettings: strict),
    .testTarget(
      name: "SaltEdgeCoreTests", dependencies: ["CryptoPrimitives", "SaltEdgeCore", "TestSupport"],
      path: "Tests/SaltEdgeCoreTests",
      swiftSettings: strict),
    .testTarget(
      name: "OneAssistCoreTests", dependencies: ["GatehouseWire", "OneAssistCore", "OneAssistWire", "TestSupport"],
      path: "Tests/OneAssistCoreTests",
      swiftSettings: strict),
    .testTarget(
      name: "GatehouseTransportTests", dependencies: ["GatehouseTransport", "Locks", "TestSupport"],
      path: "Tests/GatehouseTransportTests",
      swiftSettings: strict),
    .testTarget(
      name: "SEAuthenticatorTests",
      dependencies: [
        "GatehouseTransport", "SaltEdgeAuthenticator", "SaltEdgeCore", "SEAuthenticator", "SEAuthenticatorCore",
        "SEAuthenticatorV2", "TestSupport",
      ],
      path: "Tests/SEAuthenticatorTests", swiftSettings: strict),
    .testTarget(
      name: "RubixOnboardingTests", dependencies: ["RubixOnboarding", "TestSupport"],
      path: "Tests/RubixOnboardingTests", swiftSettings: strict),
    .testTarget(
      name: "SaltEdgeAuthenticatorTests",
      dependencies: [
        "GatehouseTransport", "GatehouseWire", "SaltEdgeAuthenticator", "SaltEdgeCore", "SaltEdgeWire", "TestSupport",
      ],
      path: "Tests/SaltEdgeAuthenticatorTests", swiftSettings: strict),
    .testTarget(
      name: "AuthenticatorUITests",
      dependencies: ["AuthenticatorUI", "GatehouseUI", "SaltEdgeAuthenticator", "ScreenSpecimens", "TestSupport"],
      path: "Tests/AuthenticatorUITests", swiftSettings: strict),
    .testTarget(
      name: "OnboardingUITests",
      dependencies: [
        "Finaptic", "FinapticUI", "Forms", "GatehouseUI", "GatehouseWire", "OneAssistSDK", "OneAssistUI",
        "OnboardingScreens", "OnboardingUI", "RubixOnboarding", "ScreenSpecimens", "TestSupport",
        "WultraDigitalOnboarding", "WultraOnboardingUI",
      ],
      path: "Tests/OnboardingUITests", swiftSettings: strict),
    .testTarget(
      name: "OneAssistSDKTests",
      dependencies: [
        "GatehouseTransport", "GatehouseWire", "OneAssistCore", "OneAssistSDK", "OneAssistWire", "TestSupport",
      ],
      path: "Tests/OneAssistSDKTests", swiftSettings: strict),
    // The other end of the protocol, for the tests of everything that speaks it.
    .target(
      name: "PowerAuthPeer", dependencies: ["GatehouseTransport", "PowerAuth2", "PowerAuthCore", "TestSupport"],
      path: "Tests/PowerAuthPeer", swiftSettings: strict),
    .testTarget(
      name: "PowerAuth2Tests",
      dependencies: ["GatehouseTransport", "PowerAuth2", "PowerAuthCore", "PowerAuthPeer", "TestSupport"],
      path: "Tests/PowerAuth2Tests", swiftSettings: strict),
    .testTarget(
      name: "WultraPowerAuthNetworkingTests",
      dependencies: [
        "GatehouseTransport", "PowerAuth2", "PowerAuthCore", "PowerAuthPeer", "TestSupport",
        "WultraPowerAuthNetworking",
      ],
      path: "Tests/WultraPowerAuthNetworkingTests", swiftSettings: strict),
    .testTarget(
      name: "WultraDigitalOnboardingTests",
      dependencies: [
        "GatehouseTransport", "GatehouseWire", "PowerAuth2", "PowerAuthCore", "PowerAuthPeer",
        "WultraDigitalOnboarding", "WultraPowerAuthNetworking", "WultraWire",
      ],
      path: "Tests/WultraDigitalOnboardingTests", swiftSettings: strict),
    .testTarget(
      name: "FinapticTests",
      dependencies: [
        "Finaptic", "FinapticWire", "GatehouseTransport", "GatehouseWire", "TestSupport",
        .product(name: "OpenCombine", package: "OpenCombine", condition: .when(platforms: [.linux])),
      ],
      path: "Tests/FinapticTests", swiftSettings: strict),
    // What the documentation calls the sample application.
    .executableTarget(
      name: "FinapticSample", dependencies: ["Finaptic"], path: "Examples/FinapticSample", swiftSettings: strict),
    // Screens in a terminal, for the two programs below.
    .target(
      name: "ScreenTerminal", dependencies: ["GatehouseTransport", "GatehouseUI", "GatehouseWire"],
      path: "Examples/ScreenTerminal", swiftSettings: strict),
    // The example application of the Authenticator's seed, in a terminal.
    .executableTarget(
      name: "AuthenticatorSample",
      dependencies: ["AuthenticatorUI", "Evidence", "GatehouseUI", "SaltEdgeAuthenticator", "ScreenTerminal"],
      path: "Examples/Authenticator", exclude: ["App"], swiftSettings: strict),
    // The onboardings of a Rubix and of a Wultra customer, the activation of a membership and a bank's app, in a terminal.
    .executableTarget(
      name: "OnboardingSample",
      dependencies: [
        "Finaptic", "FinapticUI", "GatehouseUI", "OnboardingUI", "OneAssistSDK", "OneAssistUI", "RubixOnboarding",
        "ScreenTerminal", "WultraDigitalOnboarding", "WultraOnboardingUI",
      ],
      path: "Examples/Onboarding", exclude: ["App"], swiftSettings: strict),
    // Every sample of the seed, with its typing errors mended.
    .target(name: "FinapticSamples", dependencies: ["Finaptic"], path: "Tests/FinapticSamples", swiftSettings: strict),
    .testTarget(
      name: "FinapticSamplesTests", dependencies: ["Finaptic", "FinapticSamples"],
      path: "Tests/FinapticSamplesTests", swiftSettings: strict),
    // Every sample of the seed, unchanged but for what it leaves open.
    .testTarget(
      name: "SeedSamplesTests",
      dependencies: ["PowerAuth2", "TestSupport", "WultraDigitalOnboarding", "WultraPowerAuthNetworking"],
      path: "Tests/SeedSamplesTests", swiftSettings: strict),
    .testTarget(
      name: "StorageTests",
      dependencies: [
        "CrashTrials", "CrashWriter", "Storage", "TestSupport", .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      path: "Tests/StorageTests", swiftSettings: strict),
    .testTarget(
      name: "KitTests",
      dependencies: [
        "CPKCS11", "CrashTrials", "CrashWriter", "Kit", "Storage", "TestSupport",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
      ],
      path: "Tests/KitTests", swiftSettings: strict),
    .testTarget(
      name: "ObjectStorageTests",
      dependencies: [
        "Kit", "ObjectStorage", "TestSupport", .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      path: "Tests/ObjectStorageTests", exclude: ["Vectors"], swiftSettings: strict),
    .testTarget(
      name: "HTTPTests",
      dependencies: [
        "GatehouseWire", "HTTP", "Kit", "Storage", "TestSupport",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdTesting", package: "hummingbird"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ],
      path: "Tests/HTTPTests", swiftSettings: strict),
    .testTarget(
      name: "CapabilitiesTests",
      dependencies: [
        "Activations", "Casework", "Conversations", "CrashTrials", "CrashWriter", "CScheduling", "CTransfer",
        "Delivery", "DocumentCore", "Forms", "GatehouseWire", "Identity", "Kit", "Ledger", "LedgerSimulation", "PowerAuthCore",
        "ReferenceData", "RubixWire", "Scheduling",
        "Screening", "Storage", "TestSupport", .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "HummingbirdHTTP2", package: "hummingbird"),
        .product(name: "HummingbirdTesting", package: "hummingbird"),
      ],
      path: "Tests/CapabilitiesTests", exclude: ["Screening/Published"], swiftSettings: strict),
    // libjpeg and libpng as they are used by default, to compare the header reader with.
    .target(
      name: "CCodecs", path: "Tests/CCodecs", cSettings: [.unsafeFlags(["-O2"])],
      linkerSettings: [.linkedLibrary("jpeg"), .linkedLibrary("png")]),
    .executableTarget(
      name: "PageReader", dependencies: ["Evidence"], path: "Tests/PageReader", swiftSettings: strict),
    // What suites compute pixel by pixel.
    .target(name: "PictureScenes", path: "Tests/PictureScenes", swiftSettings: strict + optimised),
    .testTarget(
      name: "EvidenceTests",
      dependencies: [
        "CCodecs", "CScheduling", "CVision", "CZlib", "CrashTrials", "DocumentCore", "Evidence", "Kit", "OneAssistCore",
        "PageReader", "PictureScenes", "Specimens", "TestSupport",
      ],
      path: "Tests/EvidenceTests", swiftSettings: strict),
    .testTarget(
      name: "SpecimensTests", dependencies: ["CVision", "DocumentCore", "Specimens"], path: "Tests/SpecimensTests",
      swiftSettings: strict),
    .testTarget(
      name: "PowerAuthHTTPTests",
      dependencies: [
        "Activations", "GatehouseWire", "HTTP", "Identity", "Kit", "OpenAPISupport", "PowerAuthCore",
        "PowerAuthHTTP", "Storage", "TestSupport", .product(name: "HummingbirdTesting", package: "hummingbird"),
      ],
      path: "Tests/PowerAuthHTTPTests", swiftSettings: strict),
    .testTarget(
      name: "ScreeningHTTPTests",
      dependencies: [
        "HTTP", "Identity", "Kit", "OpenAPISupport", "Screening", "ScreeningHTTP", "Storage", "TestSupport",
        .product(name: "HummingbirdTesting", package: "hummingbird"),
      ],
      path: "Tests/ScreeningHTTPTests", swiftSettings: strict),
    .testTarget(
      name: "PaymentsTests",
      dependencies: ["DocumentCore", "Ledger", "Payments", "ReferenceData", "TestSupport"],
      path: "Tests/PaymentsTests", swiftSettings: strict),
    .testTarget(
      name: "RubixFlowTests",
      dependencies: [
        "Activations", "Casework", "Delivery", "DocumentCore", "Evidence", "Fixtures", "Forms", "GatehouseWire", "HTTP",
        "Identity", "Kit", "RubixFlow", "RubixWire", "Scheduling", "Screening", "Specimens", "Storage", "TestSupport",
        "WultraFlow",
      ],
      path: "Tests/RubixFlowTests", swiftSettings: strict),
    .testTarget(
      name: "WultraFlowTests",
      dependencies: [
        "Activations", "Casework", "Delivery", "DocumentCore", "Evidence", "GatehouseTransport", "GatehouseUI",
        "GatehouseWire", "HTTP", "Identity", "Kit", "PowerAuth2", "PowerAuthCore", "PowerAuthHTTP", "RubixWire",
        "Specimens", "Storage", "TestSupport", "WultraDigitalOnboarding", "WultraFlow", "WultraOnboardingUI",
        "WultraStories", "WultraWire", .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdTesting", package: "hummingbird"),
      ],
      path: "Tests/WultraFlowTests", swiftSettings: strict),
    .testTarget(
      name: "SaltEdgeFlowTests",
      dependencies: [
        "Delivery", "GatehouseTransport", "GatehouseWire", "HTTP", "Identity", "Kit",
        "OpenAPISupport", "SaltEdgeAuthenticator", "SaltEdgeCore", "SaltEdgeFlow", "SaltEdgeWire", "SEAuthenticator",
        "SEAuthenticatorV2", "Storage", "TestSupport",
        .product(name: "Crypto", package: "swift-crypto"), .product(name: "HummingbirdTesting", package: "hummingbird"),
      ],
      path: "Tests/SaltEdgeFlowTests", swiftSettings: strict),
    .testTarget(
      name: "OneAssistFlowTests",
      dependencies: [
        "Casework", "Console", "Delivery", "DocumentCore", "Evidence", "gatehouse", "GatehouseApp",
        "GatehouseTransport", "GatehouseUI", "GatehouseWire", "HTTP", "Identity", "Kit", "OneAssistCore",
        "OneAssistFlow", "OneAssistSDK", "OneAssistUI", "OneAssistWire", "OpenAPISupport", "Specimens", "Storage",
        "TestSupport",
        .product(name: "HummingbirdTesting", package: "hummingbird"),
      ],
      path: "Tests/OneAssistFlowTests", swiftSettings: strict),
    .testTarget(
      name: "FinapticFlowTests",
      dependencies: [
        "Casework", "Console", "Conversations", "Delivery", "DocumentCore", "Evidence", "FinapticFlow",
        "FinapticWire", "gatehouse", "GatehouseApp", "GatehouseWire", "HTTP", "Identity", "Kit", "Ledger",
        "OpenAPISupport", "Paper", "Payments", "ReferenceData", "Screening", "Specimens", "Storage", "TestSupport",
        .product(name: "HummingbirdTesting", package: "hummingbird"),
      ],
      path: "Tests/FinapticFlowTests", swiftSettings: strict),
    .testTarget(
      name: "OpenAPISupportTests", dependencies: ["APIDescription", "OpenAPISupport"],
      path: "Tests/OpenAPISupportTests", swiftSettings: strict),
    .testTarget(
      name: "JourneyTests",
      dependencies: [
        "Activations", "Casework", "Console", "Conversations", "Delivery", "Demonstration", "DocumentCore", "Evidence",
        "Finaptic", "FinapticFlow", "FinapticSamples", "FinapticWire", "gatehouse", "GatehouseApp", "GatehouseLab",
        "GatehouseTransport", "GatehouseUI", "GatehouseWire", "HTTP", "Identity", "Kit", "Ledger",
        "OnboardingUI", "OneAssistSDK", "OpenAPISupport",
        "PowerAuth2", "PowerAuthCore", "PowerAuthHTTP", "PowerAuthPeer", "ReferenceData", "RubixFlow",
        "RubixOnboarding", "RubixWire",
        "SaltEdgeAuthenticator", "SaltEdgeCore", "SaltEdgeFlow", "SaltEdgeWire", "Scheduling", "Screening", "ServerTLS",
        "Specimens", "Storage", "TestSupport", "WultraFlow", "WultraWire",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Configuration", package: "swift-configuration"),
        .product(name: "HummingbirdHTTP2", package: "hummingbird"),
        .product(name: "HummingbirdTesting", package: "hummingbird"),
      ],
      path: "Tests/JourneyTests", swiftSettings: strict),
    .testTarget(name: "TidyTests", dependencies: ["TestSupport"], path: "Tests/TidyTests", swiftSettings: strict),
  ],
  cxxLanguageStandard: .cxx17
)
