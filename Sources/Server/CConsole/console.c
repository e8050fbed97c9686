// SPDX-License-Identifier: Apache-2.0

#include "CConsole.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

// Read by the compiler as bytes: arrays of numbers in Swift take it longer than all pages that are made of them.
static const unsigned char ApprovalsPage_mustache[] = {
#embed "../Console/Approvals/ApprovalsPage.mustache"
};
static const unsigned char AuditLogPage_mustache[] = {
#embed "../Console/AuditPages/AuditLogPage.mustache"
};
static const unsigned char TemplatesPage_mustache[] = {
#embed "../Console/TemplatePages/TemplatesPage.mustache"
};
static const unsigned char PolicyPage_mustache[] = {
#embed "../Console/PolicyPages/PolicyPage.mustache"
};
static const unsigned char RightsPage_mustache[] = {
#embed "../Console/RightsPages/RightsPage.mustache"
};
static const unsigned char RightsDonePage_mustache[] = {
#embed "../Console/RightsPages/RightsDonePage.mustache"
};
static const unsigned char AccountPage_mustache[] = {
#embed "../Console/AccountPages/AccountPage.mustache"
};
static const unsigned char AgentCallPage_mustache[] = {
#embed "../Console/CallPages/AgentCallPage.mustache"
};
static const unsigned char BookingPage_mustache[] = {
#embed "../Console/CalendarPages/BookingPage.mustache"
};
static const unsigned char CalendarPage_mustache[] = {
#embed "../Console/CalendarPages/CalendarPage.mustache"
};
static const unsigned char CallListPage_mustache[] = {
#embed "../Console/CallPages/CallListPage.mustache"
};
static const unsigned char CallStage_mustache[] = {
#embed "../Console/CallPages/CallStage.mustache"
};
static const unsigned char CustomerCallPage_mustache[] = {
#embed "../Console/CallPages/CustomerCallPage.mustache"
};
static const unsigned char call_js[] = {
#embed "../Console/CallPages/call.js"
};
static const unsigned char ChatListPage_mustache[] = {
#embed "../Console/ChatPages/ChatListPage.mustache"
};
static const unsigned char ChatPage_mustache[] = {
#embed "../Console/ChatPages/ChatPage.mustache"
};
static const unsigned char chat_js[] = {
#embed "../Console/ChatPages/chat.js"
};
static const unsigned char DeadLettersPage_mustache[] = {
#embed "../Console/DeadLetters/DeadLettersPage.mustache"
};
static const unsigned char DemoBankAccountPage_mustache[] = {
#embed "../Console/DemoBank/DemoBankAccountPage.mustache"
};
static const unsigned char DemoBankCode_mustache[] = {
#embed "../Console/DemoBank/DemoBankCode.mustache"
};
static const unsigned char DemoBankConnectPage_mustache[] = {
#embed "../Console/DemoBank/DemoBankConnectPage.mustache"
};
static const unsigned char DemoBankEnrolPage_mustache[] = {
#embed "../Console/DemoBank/DemoBankEnrolPage.mustache"
};
static const unsigned char DemoBankHomePage_mustache[] = {
#embed "../Console/DemoBank/DemoBankHomePage.mustache"
};
static const unsigned char DemoBankOrderPage_mustache[] = {
#embed "../Console/DemoBank/DemoBankOrderPage.mustache"
};
static const unsigned char DemoBankPayPage_mustache[] = {
#embed "../Console/DemoBank/DemoBankPayPage.mustache"
};
static const unsigned char DemoBankProblemPage_mustache[] = {
#embed "../Console/DemoBank/DemoBankProblemPage.mustache"
};
static const unsigned char Frame_mustache[] = {
#embed "../Console/Design/Frame.mustache"
};
static const unsigned char ar_json[] = {
#embed "../Console/Design/Words/ar.json"
};
static const unsigned char en_json[] = {
#embed "../Console/Design/Words/en.json"
};
static const unsigned char fr_json[] = {
#embed "../Console/Design/Words/fr.json"
};
static const unsigned char again_js[] = {
#embed "../Console/Design/again.js"
};
static const unsigned char gatehouse_css[] = {
#embed "../Console/Design/gatehouse.css"
};
static const unsigned char icon_svg[] = {
#embed "../Console/Design/icon.svg"
};
static const unsigned char LinkApprovalPage_mustache[] = {
#embed "../Console/Design/LinkApprovalPage.mustache"
};
static const unsigned char idle_js[] = {
#embed "../Console/Design/idle.js"
};
static const unsigned char DevOutboxPage_mustache[] = {
#embed "../Console/DevOutboxPage.mustache"
};
static const unsigned char HealthPage_mustache[] = {
#embed "../Console/Health/HealthPage.mustache"
};
static const unsigned char FiguresPage_mustache[] = {
#embed "../Console/Figures/FiguresPage.mustache"
};
static const unsigned char OpenIDArrivalPage_mustache[] = {
#embed "../Console/OpenID/OpenIDArrivalPage.mustache"
};
static const unsigned char CaseChecks_mustache[] = {
#embed "../Console/Queue/CaseChecks.mustache"
};
static const unsigned char CaseFilePage_mustache[] = {
#embed "../Console/Queue/CaseFilePage.mustache"
};
static const unsigned char CasePicture_mustache[] = {
#embed "../Console/Queue/CasePicture.mustache"
};
static const unsigned char CaseReason_mustache[] = {
#embed "../Console/Queue/CaseReason.mustache"
};
static const unsigned char QueuePage_mustache[] = {
#embed "../Console/Queue/QueuePage.mustache"
};
static const unsigned char ReceiptPage_mustache[] = {
#embed "../Console/Queue/ReceiptPage.mustache"
};
static const unsigned char keys_js[] = {
#embed "../Console/Queue/keys.js"
};
static const unsigned char queue_js[] = {
#embed "../Console/Queue/queue.js"
};
static const unsigned char viewer_js[] = {
#embed "../Console/Queue/viewer.js"
};
static const unsigned char RecordFilePage_mustache[] = {
#embed "../Console/RecordPages/RecordFilePage.mustache"
};
static const unsigned char RecordListPage_mustache[] = {
#embed "../Console/RecordPages/RecordListPage.mustache"
};
static const unsigned char InvitationPage_mustache[] = {
#embed "../Console/StaffPages/InvitationPage.mustache"
};
static const unsigned char StaffDonePage_mustache[] = {
#embed "../Console/StaffPages/StaffDonePage.mustache"
};
static const unsigned char StaffListPage_mustache[] = {
#embed "../Console/StaffPages/StaffListPage.mustache"
};
static const unsigned char StaffMemberPage_mustache[] = {
#embed "../Console/StaffPages/StaffMemberPage.mustache"
};
static const unsigned char StatementsPage_mustache[] = {
#embed "../Console/Statements/StatementsPage.mustache"
};
static const unsigned char APIPage_mustache[] = {
#embed "../Console/Start/APIPage.mustache"
};
static const unsigned char FirstRunPage_mustache[] = {
#embed "../Console/Start/FirstRunPage.mustache"
};
static const unsigned char StartPage_mustache[] = {
#embed "../Console/Start/StartPage.mustache"
};
static const unsigned char api_js[] = {
#embed "../Console/Start/api.js"
};
static const unsigned char UploadPage_mustache[] = {
#embed "../Console/UploadPage/UploadPage.mustache"
};
static const unsigned char UploadProblemPage_mustache[] = {
#embed "../Console/UploadPage/UploadProblemPage.mustache"
};
static const unsigned char upload_js[] = {
#embed "../Console/UploadPage/upload.js"
};
static const unsigned char AuthenticatorPage_mustache[] = {
#embed "../Console/SignIn/AuthenticatorPage.mustache"
};
static const unsigned char RecoveryCodesPage_mustache[] = {
#embed "../Console/SignIn/RecoveryCodesPage.mustache"
};
static const unsigned char SecondFactorPage_mustache[] = {
#embed "../Console/SignIn/SecondFactorPage.mustache"
};
static const unsigned char StaffAccountPage_mustache[] = {
#embed "../Console/SignIn/StaffAccountPage.mustache"
};
static const unsigned char StaffProblemPage_mustache[] = {
#embed "../Console/Design/StaffProblemPage.mustache"
};
static const unsigned char StaffSignInPage_mustache[] = {
#embed "../Console/SignIn/StaffSignInPage.mustache"
};
static const unsigned char WebhookDeliveryPage_mustache[] = {
#embed "../Console/WebhookPages/WebhookDeliveryPage.mustache"
};
static const unsigned char WebhookEndpointsPage_mustache[] = {
#embed "../Console/WebhookPages/WebhookEndpointsPage.mustache"
};
static const unsigned char WebhookLogPage_mustache[] = {
#embed "../Console/WebhookPages/WebhookLogPage.mustache"
};
static const unsigned char passkey_js[] = {
#embed "../Console/SignIn/passkey.js"
};

#define FILE(name, bytes) { name, bytes, sizeof bytes }

static const struct console_file files[] = {
  FILE("ApprovalsPage.mustache", ApprovalsPage_mustache),
  FILE("AuditLogPage.mustache", AuditLogPage_mustache),
  FILE("TemplatesPage.mustache", TemplatesPage_mustache),
  FILE("PolicyPage.mustache", PolicyPage_mustache),
  FILE("RightsPage.mustache", RightsPage_mustache),
  FILE("RightsDonePage.mustache", RightsDonePage_mustache),
  FILE("AccountPage.mustache", AccountPage_mustache),
  FILE("AgentCallPage.mustache", AgentCallPage_mustache),
  FILE("BookingPage.mustache", BookingPage_mustache),
  FILE("CalendarPage.mustache", CalendarPage_mustache),
  FILE("CallListPage.mustache", CallListPage_mustache),
  FILE("CallStage.mustache", CallStage_mustache),
  FILE("CustomerCallPage.mustache", CustomerCallPage_mustache),
  FILE("call.js", call_js),
  FILE("ChatListPage.mustache", ChatListPage_mustache),
  FILE("ChatPage.mustache", ChatPage_mustache),
  FILE("chat.js", chat_js),
  FILE("DeadLettersPage.mustache", DeadLettersPage_mustache),
  FILE("DemoBankAccountPage.mustache", DemoBankAccountPage_mustache),
  FILE("DemoBankCode.mustache", DemoBankCode_mustache),
  FILE("DemoBankConnectPage.mustache", DemoBankConnectPage_mustache),
  FILE("DemoBankEnrolPage.mustache", DemoBankEnrolPage_mustache),
  FILE("DemoBankHomePage.mustache", DemoBankHomePage_mustache),
  FILE("DemoBankOrderPage.mustache", DemoBankOrderPage_mustache),
  FILE("DemoBankPayPage.mustache", DemoBankPayPage_mustache),
  FILE("DemoBankProblemPage.mustache", DemoBankProblemPage_mustache),
  FILE("Frame.mustache", Frame_mustache),
  FILE("ar.json", ar_json),
  FILE("en.json", en_json),
  FILE("fr.json", fr_json),
  FILE("again.js", again_js),
  FILE("gatehouse.css", gatehouse_css),
  FILE("icon.svg", icon_svg),
  FILE("LinkApprovalPage.mustache", LinkApprovalPage_mustache),
  FILE("idle.js", idle_js),
  FILE("DevOutboxPage.mustache", DevOutboxPage_mustache),
  FILE("HealthPage.mustache", HealthPage_mustache),
  FILE("FiguresPage.mustache", FiguresPage_mustache),
  FILE("OpenIDArrivalPage.mustache", OpenIDArrivalPage_mustache),
  FILE("CaseChecks.mustache", CaseChecks_mustache),
  FILE("CaseFilePage.mustache", CaseFilePage_mustache),
  FILE("CasePicture.mustache", CasePicture_mustache),
  FILE("CaseReason.mustache", CaseReason_mustache),
  FILE("QueuePage.mustache", QueuePage_mustache),
  FILE("ReceiptPage.mustache", ReceiptPage_mustache),
  FILE("keys.js", keys_js),
  FILE("queue.js", queue_js),
  FILE("viewer.js", viewer_js),
  FILE("RecordFilePage.mustache", RecordFilePage_mustache),
  FILE("RecordListPage.mustache", RecordListPage_mustache),
  FILE("InvitationPage.mustache", InvitationPage_mustache),
  FILE("StaffDonePage.mustache", StaffDonePage_mustache),
  FILE("StaffListPage.mustache", StaffListPage_mustache),
  FILE("StaffMemberPage.mustache", StaffMemberPage_mustache),
  FILE("StatementsPage.mustache", StatementsPage_mustache),
  FILE("APIPage.mustache", APIPage_mustache),
  FILE("FirstRunPage.mustache", FirstRunPage_mustache),
  FILE("StartPage.mustache", StartPage_mustache),
  FILE("api.js", api_js),
  FILE("UploadPage.mustache", UploadPage_mustache),
  FILE("UploadProblemPage.mustache", UploadProblemPage_mustache),
  FILE("upload.js", upload_js),
  FILE("AuthenticatorPage.mustache", AuthenticatorPage_mustache),
  FILE("RecoveryCodesPage.mustache", RecoveryCodesPage_mustache),
  FILE("SecondFactorPage.mustache", SecondFactorPage_mustache),
  FILE("StaffAccountPage.mustache", StaffAccountPage_mustache),
  FILE("StaffProblemPage.mustache", StaffProblemPage_mustache),
  FILE("StaffSignInPage.mustache", StaffSignInPage_mustache),
  FILE("WebhookDeliveryPage.mustache", WebhookDeliveryPage_mustache),
  FILE("WebhookEndpointsPage.mustache", WebhookEndpointsPage_mustache),
  FILE("WebhookLogPage.mustache", WebhookLogPage_mustache),
  FILE("passkey.js", passkey_js),
};

const struct console_file *console_files(void) { return files; }

int console_files_count(void) { return sizeof files / sizeof files[0]; }
