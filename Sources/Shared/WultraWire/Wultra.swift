// SPDX-License-Identifier: Apache-2.0

/// Wire values of Wultra Digital Onboarding (wultra-onboarding.md §1–§4): what its app and its server say to each
/// other.
///
/// Bodies are wrapped in `requestObject` and `responseObject` by the envelopes of PowerAuth. Unknown members are
/// ignored
/// by both ends, and `null` reads as a missing member.
public enum Wultra {}
