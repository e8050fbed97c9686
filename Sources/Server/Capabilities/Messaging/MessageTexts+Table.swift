extension MessageTexts {
  /// An SMS with a code ends with the line `@host #code`, by which phones offer the code to that host's page or app
  /// only (WICG, "Origin-bound one-time codes delivered via SMS"). Codes and hosts stay in Latin script in every language.
  static let standard: [Key: Text] = [
    Key(.confirmContact, .sms, "en"): Text(
      body: """
        {house}: {code} confirms your phone number. Valid {minutes} min. Never share it, not even with us.

        @{host} #{code}
        """),
    Key(.confirmContact, .sms, "ar"): Text(
      body: """
        {house}: {code} رمز تأكيد رقم هاتفك، صالح لمدة {minutes} دقائق. لا تشاركه مع أحد، ولا حتى معنا.

        @{host} #{code}
        """),
    Key(.confirmContact, .email, "en"): Text(
      subject: "Confirm your e-mail address for {house}",
      body: """
        Hello,

        somebody, hopefully you, is opening an account at {house} and gave this e-mail address.
        Type this code in the app to confirm it:

        {code}

        It is valid for {minutes} minutes. Do not share it with anybody: our staff will never ask for it.
        If this was not you, ignore this message; without the code nothing happens.

        {house}
        {host}
        """),
    Key(.confirmContact, .email, "ar"): Text(
      subject: "تأكيد بريدك الإلكتروني لدى {house}",
      body: """
        مرحبًا،

        يقوم شخص ما، نأمل أن تكون أنت، بفتح حساب لدى {house} وقد أدخل عنوان البريد الإلكتروني هذا.
        اكتب هذا الرمز في التطبيق لتأكيده:

        {code}

        الرمز صالح لمدة {minutes} دقائق. لا تشاركه مع أحد، فموظفونا لن يطلبوه منك أبدًا.
        إن لم تكن أنت فتجاهل هذه الرسالة، فلن يحدث شيء من دون الرمز.

        {house}
        {host}
        """),
    Key(.applicationCompleted, .sms, "en"): Text(
      body: "{house}: your application is complete. Welcome! Open the app to begin."),
    Key(.applicationCompleted, .sms, "ar"): Text(
      body: "{house}: اكتمل طلبك. أهلًا بك! افتح التطبيق للبدء."),
    Key(.applicationCompleted, .email, "en"): Text(
      subject: "Welcome to {house}",
      body: """
        Hello,

        your application is complete and you are now a customer of {house}. Open the app to begin.

        {house}
        {host}
        """),
    Key(.applicationCompleted, .email, "ar"): Text(
      subject: "أهلًا بك في {house}",
      body: """
        مرحبًا،

        اكتمل طلبك وأصبحت الآن عميلًا لدى {house}. افتح التطبيق للبدء.

        {house}
        {host}
        """),
    Key(.applicationRejected, .sms, "en"): Text(
      body: "{house}: we cannot accept your application. Please contact us if you have questions."),
    Key(.applicationRejected, .sms, "ar"): Text(
      body: "{house}: نعتذر عن عدم قبول طلبك. يرجى التواصل معنا إن كانت لديك أسئلة."),
    Key(.applicationRejected, .email, "en"): Text(
      subject: "Your application at {house}",
      body: """
        Hello,

        thank you for your application. We are sorry that we cannot accept it.
        If you think that this is a mistake, please contact us.

        {house}
        {host}
        """),
    Key(.applicationRejected, .email, "ar"): Text(
      subject: "طلبك لدى {house}",
      body: """
        مرحبًا،

        شكرًا لطلبك. نعتذر عن عدم تمكننا من قبوله.
        إن كنت تعتقد أن هناك خطأ فيرجى التواصل معنا.

        {house}
        {host}
        """),
  ]
}
