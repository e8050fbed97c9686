// SPDX-License-Identifier: Apache-2.0

extension OAErrorTexts {
  /// The published texts, and those that the SDK says itself. Texts of servers are not here: they arrive in English.
  static let english: [String: String] = [
    "1001": "Token Empty",
    "1002": "Activation Code Empty",
    "1003": "Mobile number is empty",
    "1004": "User details not provided",
    "1005": "Pincode is empty",
    "1006": "Address is empty",
    "1007": "IMEI is missing",
    "1008": "Send message on secondary device first",
    "2001": "Activation In-Progress",
    "2002": "Activation In-Progress",
    "2003": "Membership Approved",
    "2004": "Membership Queued",
    "2005": "Membership Rejected",
    "2006": "Membership Cancelled",
    "3001": "Unable to get membership detail",
    "3002": "Unable to get membership detail",
    "3003": "Unable to update user detail",
    "3004": "Unable to send SMS",
    "4001": "IMEI not recognized",
    "4002": "Photo Library permission needed",
    "4003": "Screen recording",
    "4004": "Unable to fetch screenshot",
    "4005": "Unable to load screenshot",
    "4006": "Unable to process. Try again!",
    "5000": "Some error occurred. Try again!",
    "IDENTIFIERS_OK": "OK",
    "IDENTIFIERS_TITLE": "Take a screenshot of your phone's IMEI",
    "IDENTIFIERS_WAY": """
    Open Settings, then General, then About. \
    Scroll to where IMEI is shown, take a screenshot, and come back to this app.
    """,
    "AUTH_005": "The session is over: the token is no longer valid.",
    "MOBILE_INVALID": "This is not a mobile number.",
    "SECONDARY_EQUALS_PRIMARY": "The second phone's number must not be the one the plan was bought with.",
    "SERVER_NOT_NAMED":
      "The app does not name its server. Give apiEndPoint, or OneAssistAPIEndPoint in Info.plist.",
    "offline": "There is no connection to the internet.",
    "timed-out": "The server took too long to answer.",
    "unreachable": "The server cannot be reached.",
    "connection-lost": "The connection was lost.",
    "insecure": "A secure connection to the server cannot be made.",
    "unusable": "The server's answer cannot be used.",
  ]
}
