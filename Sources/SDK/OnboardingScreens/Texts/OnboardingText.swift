// SPDX-License-Identifier: Apache-2.0

/// The names of what the screens of an onboarding show.
public enum OnboardingText: String, Sendable, CaseIterable {
  // MARK: Everywhere
  case appTitle, loading, actionContinue, actionBack, actionRetry, actionBegin, actionDone, chosen, answerYes,
    answerNo

  // MARK: Failures
  case failureOffline, failureOther, failureStore, failureSession, failureTooOften, updateTitle, updateText

  // MARK: Consent and registration
  case consentTitle, consentText, consentAgree, contactTitle, contactPhone, contactEmail, contactEmailOptional,
    contactPhoneWrong, contactEmailWrong, contactInUse, registering

  // MARK: Pictures
  case documentTitle, documentText, documentIDCard, documentPassport, documentLicence, captureIDFront, captureIDBack,
    capturePassport, captureLicence, captureLicenceBack, captureSelfie, captureLiveness, captureSelfieFirst,
    captureSelfieSecond, captureSelfieThird, captureTurnHead, captureBlink, captureLook, captureLookLeft,
    captureLookRight, captureSending,
    cameraDocument, cameraFace, hintFindDocument, hintFindFace, hintShowWhole, hintShowWholeFace, hintComeCloser,
    hintGoAway, hintHoldStill, hintAvoidReflections, hintReady, reviewQuestion, reviewPicture, reviewUse, reviewAgain,
    refusedQuality, refusedUnreadable, refusedType, refusedLiveness, refusedFormat

  // MARK: Work of the server
  case workPreparing, workReading, workComparing, workChecking, workStalled, noteMismatch

  // MARK: Codes
  case codeTitle, codeAskSMS, codeAskEmail, codeSend, codeSent, codeSentTo, codeLabel, codeConfirm, codeChecking,
    codeSending, codeResend, codeResendIn, codeWrong, codeWrongLeft, codeExpired, codeLocked

  // MARK: Forms
  case formCRS, formFATCA, formKYC, formOther, formPage, formSubmit, formSubmitting, formRequired, formTooLong,
    formTooMany, formPattern, formDate, formCountry, formServer, formAddRow, formRemoveRow, formRow, addressLine1,
    addressLine2, addressCity, addressRegion, addressPostalCode, addressCountry, tinNumber

  // MARK: Calls
  case appointmentTitle, appointmentText, appointmentNone, appointmentTaken, appointmentBooking, appointmentOtherDay,
    callTitle, callWhen, callLength, callJoin, callJoinHint, callLater, callMove, callRecorded,
    callWaiting

  // MARK: Waiting and results
  case waitingTitle, waitingText, waitingLook, resultCompleted, resultVerified, resultRejected, resultAbandoned,
    resultExpired, resultFailed, resultLimit, resultAgain

  // MARK: Identity, PIN and verification
  case identifyTitle, identifyText, pinTitle, pinFirst, pinSecond, pinDiffers, pinKeeping, introTitle, introText,
    consentDecline, consentApprove, documentsTitle, documentsCount, documentsTooFew, presenceText,
    restartVerification, cancelProcess, failureBlocked, workPresence, workClient
}
