// SPDX-License-Identifier: Apache-2.0

extension MessageTexts {
  /// In English. An SMS with a code ends with the line `@host #code`, by which phones offer the code to that host's page or
  /// app only (WICG, "Origin-bound one-time codes delivered via SMS"). Codes and hosts stay in Latin script in every
  /// language.
  static let english: [Name: Text] = [
    Name(.confirmContact, .sms): Text(
      body: """
        {house}: {code} confirms your phone number. Valid {minutes} min. Never share it, not even with us.

        @{host} #{code}
        """),
    Name(.confirmContact, .email): Text(
      subject: "Confirm your e-mail address for {house}",
      body: """
        Hello,

        a person, hopefully you, is opening an account at {house} and gave this e-mail address.
        Type this code in the app to confirm it:

        {code}

        It is valid for {minutes} minutes. Do not share it with anybody: our staff will never ask for it.
        If this was not you, ignore this message; without the code nothing happens.

        {house}
        {host}
        """),
    Name(.applicationCompleted, .sms): Text(
      body: "{house}: your application is complete. Welcome! Open the app to begin."),
    Name(.applicationCompleted, .email): Text(
      subject: "Welcome to {house}",
      body: """
        Hello,

        your application is complete and you are now a customer of {house}. Open the app to begin.

        {house}
        {host}
        """),
    Name(.applicationRejected, .sms): Text(
      body: "{house}: we cannot accept your application. Please contact us if you have questions."),
    Name(.applicationRejected, .email): Text(
      subject: "Your application at {house}",
      body: """
        Hello,

        thank you for your application. We are sorry that we cannot accept it.
        If you think that this is a mistake, please contact us.

        {house}
        {host}
        """),
    Name(.applicationInReview, .sms): Text(
      body: "{house}: we are looking at your application. The app shows what you can do."),
    Name(.applicationInReview, .email): Text(
      subject: "Your application at {house} is being reviewed",
      body: """
        Hello,

        we are looking at your application. The app shows whether there is something for you to do.
        We will tell you as soon as there is a decision.

        {house}
        {host}
        """),
    Name(.applicationContinued, .sms): Text(
      body: "{house}: your application goes on. Open the app to continue."),
    Name(.applicationContinued, .email): Text(
      subject: "Your application at {house} goes on",
      body: """
        Hello,

        we have looked at your application, and it goes on. Open the app to continue.

        {house}
        {host}
        """),
    Name(.callAgain, .sms): Text(
      body: "{house}: another call is needed for your application. Open the app to book one."),
    Name(.callAgain, .email): Text(
      subject: "Another call for your application at {house}",
      body: """
        Hello,

        our call did not settle everything, so another one is needed. Open the app to book a time.

        {house}
        {host}
        """),
    Name(.retakeAsked, .sms): Text(
      body: "{house}: we need other pictures for your application. Open the app to see which."),
    Name(.retakeAsked, .email): Text(
      subject: "Other pictures for your application at {house}",
      body: """
        Hello,

        we need other pictures for your application. {words}

        Open the app to take them. A call that was booked is called off.

        {house}
        {host}
        """),
    Name(.callReminder, .sms): Text(
      body: "{house}: your call is at {time}. Open the app to join five minutes before."),
    Name(.callReminder, .email): Text(
      subject: "Your call with {house} at {time}",
      body: """
        Hello,

        your call is at {time}. Open the app to join, from five minutes before. Have your identity document at hand.
        If the time does not suit you any more, choose another one in the app.

        {house}
        {host}
        """),
    Name(.callCancelled, .sms): Text(
      body: "{house}: we had to call off our call. Open the app to book another time."),
    Name(.callCancelled, .email): Text(
      subject: "Your call with {house} is called off",
      body: """
        Hello,

        we are sorry that we had to call off our call. Open the app to book another time.

        {house}
        {host}
        """),
    Name(.sessionEnded, .sms): Text(
      body:
        "{house}: your application was closed in the app because its access was used twice. Was it not you? Contact us."
    ),
    Name(.sessionEnded, .email): Text(
      subject: "{house}: your application was closed in the app",
      body: """
        Hello,

        the access to your application was used twice. For your safety we closed it in the app;
        there you can begin a new one. If you use the app on one device only, please contact us:
        another person may have had your access.

        {house}
        {host}
        """),
    Name(.signInCode, .sms): Text(
      body: "{house}: {code} is your code. It counts for {minutes} minutes. Do not share it."),
    Name(.signInCode, .email): Text(
      subject: "{house}: your code",
      body: """
        This is your code for {house}:

        {code}

        It counts for {minutes} minutes. Do not share it: our staff will never ask for it.
        """),
    Name(.verifyEmail, .email): Text(
      subject: "{house}: confirm your e-mail address",
      body: """
        A person signed up to {house} with this e-mail address. If it was you, confirm the address here:

        {link}

        If it was not you, do nothing.

        {house}
        """),
    Name(.resetPassword, .email): Text(
      subject: "{house}: set a new password",
      body: """
        A new password was requested for your user at {house}. To set one, open this page within {minutes} minutes:

        {link}

        If it was not you, do nothing: your password stays as it is.

        {house}
        """),
    Name(.transactionCreated, .push): Text(
      subject: "{house}", body: "There is a new transaction on your account. Open the app to see it."),
    Name(.messageReceived, .push): Text(
      subject: "{house}", body: "You have a new message from us. Open the app to read it."),
    Name(.chatJoined, .chat): Text(subject: "System", body: "{name} joined the conversation."),
    Name(.chatLeft, .chat): Text(subject: "System", body: "{name} left the conversation."),
    Name(.chatClosed, .chat): Text(subject: "System", body: "The conversation was closed."),
  ]
}
