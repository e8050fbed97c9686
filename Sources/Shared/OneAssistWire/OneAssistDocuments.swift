// SPDX-License-Identifier: Apache-2.0

extension OneAssist {
  /// The photos of an activation (§8, required documents).
  public struct RequiredDocuments: Codable, Sendable, Equatable {
    /// Names the activation to document uploads and to `order/hash-key`.
    @Loose public var activityReferenceId: String?
    @Loose public var deviceDetails: [Device]?
    @Loose public var taskInfo: TaskInfo?

    /// Creates the value from its members.
    public init(activityReferenceId: String?, deviceDetails: [Device]?, taskInfo: TaskInfo?) {
      (self.activityReferenceId, self.deviceDetails, self.taskInfo) = (activityReferenceId, deviceDetails, taskInfo)
    }

    /// One phone and its photos.
    public struct Device: Codable, Sendable, Equatable {
      @Loose public var make: String?
      @Loose public var productCode: String?
      @Loose public var invoiceDate: String?
      @Loose public var invoiceValue: Int64?
      @Loose public var customerRelationType: String?
      @Loose public var downloadDocuments: [Document]?
      @Loose public var verificationDocuments: [Document]?

      /// Creates a value whose members are all null.
      public init() {
        (make, productCode, invoiceDate, invoiceValue) = (nil, nil, nil, nil)
        (customerRelationType, downloadDocuments, verificationDocuments) = (nil, nil, nil)
      }
    }
  }

  /// One photo, taken or to be taken (§6.1).
  public struct Document: Codable, Sendable, Equatable {
    /// `SCREEN_IMAGE`, `BACK_IMAGE`, `IMEI_SCREENSHOT`, `INVOICE_IMAGE`.
    @Loose public var name: String?
    @Loose public var displayName: String?
    /// `PN` missing, `UP` uploaded, `AC` accepted, `RJ` refused.
    @Loose public var status: String?
    @Loose public var value: String?
    /// `Y` or `N`.
    @Loose public var docMandatory: String?
    @Loose public var sampleImageName: String?
    @Loose public var panelMessage: String?
    @Loose public var guideMessage: String?
    /// `Y` or `N`.
    @Loose public var duplicateRequired: String?
    /// Ascending is the order to take them in.
    @Loose public var rank: Int64?
    /// Of a refused photo.
    @Loose public var rejectReason: String?

    /// Creates a value whose other members are null.
    public init(name: String?, status: String?) {
      (self.name, displayName, self.status, value, docMandatory) = (name, nil, status, nil, nil)
      (sampleImageName, panelMessage, guideMessage, duplicateRequired, rank) = (nil, nil, nil, nil, nil)
      rejectReason = nil
    }
  }

  /// A photo was taken in (§8).
  public struct DocumentAnswer: Codable, Sendable, Equatable {
    /// The same for the same file again.
    @Loose public var docId: String?
    @Loose public var taskInfo: TaskInfo?

    /// Creates the value from its members.
    public init(docId: String?, taskInfo: TaskInfo?) { (self.docId, self.taskInfo) = (docId, taskInfo) }
  }
}
