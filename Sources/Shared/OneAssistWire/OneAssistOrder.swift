// SPDX-License-Identifier: Apache-2.0

extension OneAssist {
  /// What is to be done about a membership, and until when (§8.1).
  public struct TaskInfo: Codable, Sendable, Equatable {
    /// `FD`.
    @Loose public var name: String?
    @Loose public var fdTestType: String?
    /// The membership's status (§3), the one member that is needed to go on.
    @Loose public var status: String?
    @Loose public var documentStage: String?
    /// `YYYY-MM-DD`.
    @Loose public var uploadDocsLastDate: String?
    /// `Y` or `N`.
    @Loose public var enableFDFlow: String?
    /// `Y` or `N`.
    @Loose public var paymentDone: String?
    @Loose public var preBoardingTaskStage: String?

    /// Creates the value; what is not given is null.
    public init(status: String?, uploadDocsLastDate: String? = nil) {
      (name, fdTestType, self.status, documentStage) = ("FD", nil, status, nil)
      (self.uploadDocsLastDate, enableFDFlow, paymentDone, preBoardingTaskStage) = (uploadDocsLastDate, "Y", "Y", nil)
    }
  }

  /// Everything about an order that the app may show (§8.1).
  public struct OrderInfo: Codable, Sendable, Equatable {
    @Loose public var orderInfo: Order?
    @Loose public var planInfo: Plan?
    @Loose public var customerInfo: [Customer]?
    @Loose public var taskInfo: TaskInfo?
    @Loose public var membershipInfo: Membership?
    @Loose public var activationInfo: Activation?
    @Loose public var uploadLink: Link?

    /// Creates the value; what is not given is null.
    public init(taskInfo: TaskInfo?) {
      (orderInfo, planInfo, customerInfo, self.taskInfo) = (nil, nil, nil, taskInfo)
      (membershipInfo, activationInfo, uploadLink) = (nil, nil, nil)
    }
  }
}

extension OneAssist.OrderInfo {
  public typealias Loose = OneAssist.Loose

  /// What was bought.
  public struct Order: Codable, Sendable, Equatable {
    @Loose public var orderId: Int64?
    /// `YYYY-MM-DD`.
    @Loose public var createdDate: String?
    /// `YYYY-MM-DD`.
    @Loose public var transDate: String?
    @Loose public var paymentMode: String?
    @Loose public var paymentStatus: String?
    /// Whole units of the currency.
    @Loose public var price: Int64?
    @Loose public var salesPrice: Int64?
    /// `NEW`.
    @Loose public var activity: String?
    @Loose public var partnerInfo: Partner?

    /// Creates a value whose members are all null.
    public init() {
      (orderId, createdDate, transDate, paymentMode, paymentStatus) = (nil, nil, nil, nil, nil)
      (price, salesPrice, activity, partnerInfo) = (nil, nil, nil, nil)
    }
  }

  /// Who sold it.
  public struct Partner: Codable, Sendable, Equatable {
    @Loose public var partnerCode: Int64?
    @Loose public var partnerBuCode: Int64?

    /// Creates the value from its members.
    public init(partnerCode: Int64?, partnerBuCode: Int64?) {
      (self.partnerCode, self.partnerBuCode) = (partnerCode, partnerBuCode)
    }
  }

  /// The plan.
  public struct Plan: Codable, Sendable, Equatable {
    @Loose public var planCode: Int64?
    @Loose public var planName: String?
    @Loose public var planType: String?
    /// Whole units of the currency.
    @Loose public var coverAmount: Int64?
    /// Months.
    @Loose public var planValidity: Int64?
    @Loose public var products: [String]?
    @Loose public var categories: [String]?
    /// `Y` or `N`.
    @Loose public var trial: String?

    /// Creates a value whose members are all null.
    public init() {
      (planCode, planName, planType, coverAmount) = (nil, nil, nil, nil)
      (planValidity, products, categories, trial) = (nil, nil, nil, nil)
    }
  }

  /// The person with the phone.
  public struct Customer: Codable, Sendable, Equatable {
    @Loose public var custId: String?
    /// Names the activation to `order/hash-key` and to document uploads.
    @Loose public var activityRefId: String?
    @Loose public var firstName: String?
    @Loose public var lastName: String?
    /// The number of the purchase, without `+91` where it is Indian.
    @Loose public var mobileNo: Int64?
    @Loose public var emailId: String?
    /// `SELF`.
    @Loose public var relationshipCode: String?
    @Loose public var addressInfo: Address?
    @Loose public var assetInfo: [Asset]?

    /// Creates a value whose members are all null.
    public init() {
      (custId, activityRefId, firstName, lastName, mobileNo) = (nil, nil, nil, nil, nil)
      (emailId, relationshipCode, addressInfo, assetInfo) = (nil, nil, nil, nil)
    }
  }

  /// Where the person lives, as far as it is known.
  public struct Address: Codable, Sendable, Equatable {
    /// `INSPECTION`.
    @Loose public var addressType: String?
    @Loose public var addrLine1: String?
    @Loose public var pincode: String?

    /// Creates the value from its members.
    public init(addrLine1: String?, pincode: String?) {
      (addressType, self.addrLine1, self.pincode) = ("INSPECTION", addrLine1, pincode)
    }
  }

  /// The phone as it was sold.
  public struct Asset: Codable, Sendable, Equatable {
    @Loose public var productCode: String?
    @Loose public var brand: String?
    @Loose public var model: String?
    @Loose public var serialNo: String?
    /// `YYYY-MM-DD`.
    @Loose public var invoiceDate: String?
    /// Whole units of the currency.
    @Loose public var invoiceValue: Int64?

    /// Creates a value whose members are all null.
    public init() {
      (productCode, brand, model, serialNo, invoiceDate, invoiceValue) = (nil, nil, nil, nil, nil, nil)
    }
  }

  /// The membership's name.
  public struct Membership: Codable, Sendable, Equatable {
    @Loose public var memUUID: String?

    /// Creates the value from its member.
    public init(memUUID: String?) { self.memUUID = memUUID }
  }

  /// The activation's name.
  public struct Activation: Codable, Sendable, Equatable {
    @Loose public var activationCode: String?
    /// `Y` or `N`.
    @Loose public var autoActivate: String?

    /// Creates the value from its member.
    public init(activationCode: String?) { (self.activationCode, autoActivate) = (activationCode, "N") }
  }

  /// The last link to the second device, sent successfully.
  public struct Link: Codable, Sendable, Equatable {
    /// RFC 3339.
    @Loose public var sentAt: String?
    @Loose public var maskedNumber: String?

    /// Creates the value from its members.
    public init(sentAt: String?, maskedNumber: String?) { (self.sentAt, self.maskedNumber) = (sentAt, maskedNumber) }
  }
}
