// SPDX-License-Identifier: Apache-2.0

extension OneAssist {
  /// PIN code, address, model and numbers of the phone (§8, `POST lead`).
  public struct LeadRequest: Codable, Sendable, Equatable {
    /// The order's id or the activation code.
    @Loose public var orderUUID: String?
    @Loose public var address: Address?
    @Loose public var deviceDetail: Device?

    /// Creates the value from its members.
    public init(orderUUID: String?, address: Address?, deviceDetail: Device?) {
      (self.orderUUID, self.address, self.deviceDetail) = (orderUUID, address, deviceDetail)
    }

    /// Where the person lives.
    public struct Address: Codable, Sendable, Equatable {
      @Loose public var addrLine1: String?
      @Loose public var pinCode: String?

      /// Creates the value from its members.
      public init(addrLine1: String?, pinCode: String?) { (self.addrLine1, self.pinCode) = (addrLine1, pinCode) }
    }

    /// The phone that the SDK runs on.
    public struct Device: Codable, Sendable, Equatable {
      /// Marketing name.
      @Loose public var deviceModel: String?
      /// Fifteen digits.
      @Loose public var imei: String?
      @Loose public var imei2: String?
      /// Whether letters had to be taken for digits; absent is no.
      @Loose public var ocrRepaired: Bool?

      /// Creates the value from its members.
      public init(deviceModel: String?, imei: String?, imei2: String?, ocrRepaired: Bool? = nil) {
        (self.deviceModel, self.imei, self.imei2, self.ocrRepaired) = (deviceModel, imei, imei2, ocrRepaired)
      }
    }
  }

  /// Whom to send the link to (§6, `POST lead/asset/document/link`).
  public struct LinkRequest: Codable, Sendable, Equatable {
    /// The order's id or the activation code.
    @Loose public var orderUUID: String?
    @Loose public var verificationNo: String?

    /// Creates the value from its members.
    public init(orderUUID: String?, verificationNo: String?) {
      (self.orderUUID, self.verificationNo) = (orderUUID, verificationNo)
    }
  }

  /// The link is on its way (§6).
  public struct LinkAnswer: Codable, Sendable, Equatable {
    /// RFC 3339.
    @Loose public var sentAt: String?
    /// Until when the next one is refused.
    @Loose public var retryAfterSeconds: Int64?
    @Loose public var maskedNumber: String?
    @Loose public var taskInfo: TaskInfo?

    /// Creates the value from its members.
    public init(sentAt: String?, retryAfterSeconds: Int64?, maskedNumber: String?, taskInfo: TaskInfo?) {
      (self.sentAt, self.retryAfterSeconds) = (sentAt, retryAfterSeconds)
      (self.maskedNumber, self.taskInfo) = (maskedNumber, taskInfo)
    }
  }

  /// What the secure screen's codes are made with (§7.4, `GET order/hash-key/{activityReferenceId}`).
  public struct ScreenKey: Codable, Sendable, Equatable {
    /// Base64 of 32 bytes.
    @Loose public var hashKey: String?
    @Loose public var sessionId: String?
    /// Milliseconds since 1970.
    @Loose public var issuedAt: Int64?
    @Loose public var stepMillis: Int64?
    @Loose public var validSeconds: Int64?
    /// Milliseconds since 1970, to correct the device's clock by.
    @Loose public var serverTime: Int64?
    @Loose public var taskInfo: TaskInfo?

    /// Creates a value whose members are all null.
    public init() {
      (hashKey, sessionId, issuedAt, stepMillis) = (nil, nil, nil, nil)
      (validSeconds, serverTime, taskInfo) = (nil, nil, nil)
    }
  }

  /// Something that happened while the secure screen showed (§7.3).
  public struct ScreenEvent: Codable, Sendable, Equatable {
    /// `SCREENSHOT` or `RECORDING`.
    @Loose public var event: String?

    /// Creates the value from its member.
    public init(event: String?) { self.event = event }
  }

  /// What a picture reads, as the vendor's service says it, and in plain (§8, OCR).
  public struct TextAnswer: Codable, Sendable, Equatable {
    /// Names with trailing underscores, as published.
    public struct Response: Codable, Sendable, Equatable {
      @Loose public var fullTextAnnotation_: Annotation?

      /// Creates the value from its member.
      public init(text: String?) { fullTextAnnotation_ = Annotation(text: text) }
    }

    /// See `Response`.
    public struct Annotation: Codable, Sendable, Equatable {
      @Loose public var text_: String?

      /// Creates the value from its member.
      public init(text: String?) { text_ = text }
    }

    @Loose public var responses_: [Response]?
    /// The same text, plain.
    @Loose public var text: String?

    /// Creates the value from the text.
    public init(text: String) { (responses_, self.text) = ([Response(text: text)], text) }

    /// The text, wherever it stands.
    public var anyText: String? { text ?? responses_?.first?.fullTextAnnotation_?.text_ }
  }
}
