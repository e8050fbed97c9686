# SPDX-License-Identifier: Apache-2.0
"""How scripts/play-pages plays a page of docs: its store, what stands for something, and what is done before a line."""
import dataclasses
import datetime

TODAY = datetime.datetime.now(datetime.timezone.utc).date()
PASSWORD = "a long pass phrase of nine words for one desk"


def day(number):
    return str(TODAY + datetime.timedelta(number))


# Days of the pages that have to be before or after the day of the play.
DAYS = {"2026-11-30": day(-2), "2027-01-31": day(60), "2026-12-24": day(26), "2026-12-26": day(28)}


@dataclasses.dataclass
class Page:
    """store: the seed of a sandbox, a system of the demonstration, or "empty". names: text of the page and what is played
    for it. values: what stands for something in lines with a text; a query is asked of the store. before: what is done before
    the lines with a text, by the shell, or by a statement on the store. given: what they read from standard input.
    settings: variables of their own."""
    store: str
    names: dict = dataclasses.field(default_factory=dict)
    values: list = dataclasses.field(default_factory=list)
    before: list = dataclasses.field(default_factory=list)
    given: dict = dataclasses.field(default_factory=dict)
    settings: dict = dataclasses.field(default_factory=dict)


INSURED = "SELECT subject_id FROM casework_case WHERE kind = 'oneassist-membership' ORDER BY id"
# Whom people.md adds, after the agent of the seed.
ADDED = "SELECT id FROM staff ORDER BY created_at LIMIT 1 OFFSET 1"
DEVICE = "SELECT id FROM activation WHERE state = 'active' LIMIT 1"
BLOCKED = "SELECT id FROM activation WHERE state = 'blocked' LIMIT 1"
CARD = "SELECT id FROM finaptic_card ORDER BY created_at LIMIT 1"
TALK = "SELECT id FROM conversation ORDER BY created_at LIMIT 1"
APPLICANT = "SELECT subject_id FROM casework_case WHERE kind = '%s' LIMIT 1"
HIT = "SELECT id FROM screening_case ORDER BY id LIMIT 1"
# Who may look at an account and owns none.
GUEST = "SELECT party FROM ledger_party WHERE role = 'authorized' ORDER BY since LIMIT 1"
# A verdict is taken from five minutes before a call.
CALL_NOW = "UPDATE appointment SET call_time = created_at"
TOKEN = "0123456789-0123456789-0123456789\n"
CONTROL = "gatehouse finaptic bank client add finaptic-1 --name control --approving"
WAITING_TERMS = "gatehouse finaptic bank terms finaptic-1 prepaid_account.v12 --monthly-fee 4.95"
AGENT = "--agent aya@bank.example"


def staff(name, permissions):
    return ("gatehouse staff add --email %s@bank.example --name %s --gender F --permissions %s"
            % (name, name.title(), permissions))


ALL = "attend:video,read:customers,decide:aml,manage:cases,block:users,chat:customers"

# Files of the repository that lines of a page read, by their names on the page.
LISTS = "Tests/CapabilitiesTests/Screening/Published/"
COPIES = {
    "operations/lists.md": {"un.xml": LISTS + "un.xml", "SDN.CSV": LISTS + "sdn.csv", "ALT.CSV": LISTS + "alt.csv",
                            "ADD.CSV": LISTS + "add.csv"},
}

# The cases that the pages with a seed need; `gatehouse-lab seed` without names makes twice as many, in twice the time.
SEED = ("rubix-review", "rubix-screening", "wultra-presence", "oneassist-membership", "oneassist-membership-2",
        "oneassist-membership-3", "wultra-documents", "chat")

# What stands for something on any page. Other names are what the page's lines printed behind them.
ROWS = {
    "ACCOUNT": "SELECT account_id FROM finaptic_card ORDER BY created_at LIMIT 1",
    "CARD": CARD,
    "TRANSACTION": "SELECT id FROM finaptic_transaction WHERE entry IS NOT NULL ORDER BY booked_at DESC LIMIT 1",
    "HOLD": "SELECT id FROM ledger_hold WHERE state = 'open' ORDER BY held_at DESC LIMIT 1",
    "MEMBERSHIP": INSURED + " LIMIT 1",
    "ENDPOINT": "SELECT id FROM webhook_endpoint LIMIT 1",
    "LEAVE": "SELECT id FROM agent_leave LIMIT 1",
    "CHANGE": "SELECT id FROM finaptic_terms_change LIMIT 1",
    "DISPUTE": "SELECT id FROM finaptic_card_dispute LIMIT 1",
    "ITEM": "SELECT id FROM finaptic_card_suspense LIMIT 1",
    "REGISTRATION": "SELECT id FROM finaptic_autodeposit LIMIT 1",
    "TENANT": "finaptic-1", "WHO": "aya@bank.example", "FILE": "message.xml",
}
PRINTED = {"CLIENT-KEY": "Client key", "ID": "Client", "APPROVAL": "Approval", "NUMBER": "Payment number", "USER": "user"}

# A ledger has accounts of every tenant.
OF_TENANT = {"ledger balance ACCOUNT": "ledger balance ACCOUNT --tenant finaptic-1",
             "ledger statement ACCOUNT": "ledger statement ACCOUNT --tenant finaptic-1", "finaptic-7": "finaptic-1"}

PAGES = {
    "document-templates.md": Page("empty", names={"card.png": "passport-1-page.png"}),
    "faces.md": Page("empty"),
    "finaptic-banking.md": Page(
        "finaptic", names={"finaptic-N": "finaptic-1", "YYYY-MM-DD": day(-1)},
        values=[
            ("bank post", {"PURPOSE": "DEPOSIT", "WHY": "GOODWILL", "AMOUNT": "12.00"}),
            ("posting-limit", {"AMOUNT": "5000.00"}),
            ("account close", {"ACCOUNT": "SELECT account_id FROM finaptic_card ORDER BY created_at DESC LIMIT 1",
                               "WHY": "CUSTOMER_REQUEST"}),
            ("account remove-user", {"CUSTOMER": GUEST, "WHY": "CUSTOMER_REQUEST"}),
            ("card ", {"WHY": "CARD_LOST"}), ("account ", {"WHY": "COMPLIANCE"}),
            ("customer ", {"ID": "SELECT party FROM ledger_party WHERE account_id = (SELECT account_id FROM finaptic_card "
                           "ORDER BY created_at DESC LIMIT 1)"}),
        ],
        before=[
            ("terms-untold", ["gatehouse finaptic bank terms finaptic-1 current_account.v39 --monthly-fee 4.95 --from " + day(100)]),
            ("bank approvals", [CONTROL, "gatehouse finaptic bank four-eyes finaptic-1 --acts terms", WAITING_TERMS]),
            ("account remove-user", [
                "INSERT INTO ledger_party (account_id, party, role, since) SELECT (SELECT account_id FROM finaptic_card "
                "ORDER BY created_at LIMIT 1), party, 'authorized', 0 FROM ledger_party WHERE account_id = (SELECT account_id "
                "FROM finaptic_card ORDER BY created_at DESC LIMIT 1) LIMIT 1"]),
        ],
        given={"finaptic interac": TOKEN, "bank approv": "secret"}),
    "finaptic-cards.md": Page("finaptic", names={"finaptic-7": "finaptic-1"}, given={"card issuer": TOKEN}),
    "finaptic-chat.md": Page(
        "seed", names={"--tenant 7": "--tenant finaptic-1", "ada@": "aya@"}, values=[("chat ", {"ID": TALK})],
        before=[("chat resolve", ["gatehouse chat take {%s} --tenant finaptic-1 %s --name Aya" % (TALK, AGENT)])]),
    "finaptic-data.md": Page("finaptic"),
    "finaptic-money.md": Page(
        "finaptic", values=[("simulate interac", {"ALIAS": "someone@bank.example", "NAME": "Aunt"})]),
    "finaptic-onboarding.md": Page(
        "finaptic", names={"finaptic-7": "finaptic-1"}, before=[
            ("webhooks add", ["gatehouse finaptic tenant add finaptic-8 --name Maple --kind sandbox"])],
        values=[("application show", {"ID": "SELECT id FROM finaptic_application LIMIT 1"})]),
    "finaptic-sandbox.md": Page("finaptic"),
    # Five weeks of a few accounts stand for the year of thousands.
    "ledger.md": Page("finaptic", names={
        **OF_TENANT, "simulate year": "simulate year --accounts 10 --days 35 --out year", "FOLDER/1000": "year/10",
        "bench ledger": "bench ledger --only sqlite --clients 4 --accounts 100 --seconds 1 --rounds 1"}),
    "rights.md": Page(
        "seed", names={"finaptic-N": "finaptic-1", "--reason CODE": "--reason art-17-request --proof proof.json",
                       "verify FILE": "verify proof.json",
                       "backup --to FOLDER": "backup --to kept",
                       "restore --from FOLDER": "restore --from kept --data again --keyring data/keys/keyring.json "
                                                "--epoch-key data/keys/epoch-key.json"},
        before=[("wultra user", ["gatehouse powerauth activation show {%s} %s" % (DEVICE, AGENT)])],
        values=[("customer ", {"ID": APPLICANT % "rubix-review"}), ("staff ", {"ID": ADDED})]),
    "rubix-calls.md": Page(
        "seed", names={"passport selfie": "selfie"}, values=[("rubix ", {"CUSTOMER": APPLICANT % "rubix-review"})],
        before=[
            # Each verdict, and the retake, is on the same call, whose hour has come.
            ("verdict CUSTOMER successful", [CALL_NOW, "cp -r data untouched"]),
            ("verdict CUSTOMER failed", ["rm -rf data && cp -r untouched data"]),
            ("rubix retake", ["rm -rf data && cp -r untouched data"]),
        ]),
    # Days go one by one, each with every job: 91 of them, twice, are most of the page's time.
    "sandbox.md": Page("empty", names={"91d": "2d"}),
    "screening.md": Page(
        "seed", names={"ada@": "aya@", "bo@": "omar@"}, values=[("screen ", {"CASE": HIT})],
        # Whether two decide is the tenant's; here another one, who was added before, has proposed.
        before=[("screen approve", [
            "UPDATE screening_case SET state = 'awaiting_approval', proposal = 'false_positive', proposed_by = 'agent:' || "
            "(SELECT id FROM staff ORDER BY created_at DESC LIMIT 1 OFFSET 1), decided_by = NULL, waits_since = 1, "
            "version = 2 WHERE id = '{%s}'" % HIT])]),
    "screens.md": Page("empty", names={"--count 20": "--count 1", "--count 500": "--count 1", "--count 200": "--count 1"}),
    "install.md": Page("empty", names={"/etc/gatehouse": "etc"}),
    "set-up.md": Page("empty", names={"/etc/gatehouse": "etc"}),
    "webhooks.md": Page(
        "finaptic", names={"finaptic-8": "finaptic-1", "ID…": "ID", "whsec_…": "whsec_" + "A" * 32},
        values=[("redeliver", {"ID": "SELECT id FROM webhook_delivery LIMIT 1"})],
        before=[("webhooks enable", ["UPDATE webhook_endpoint SET disabled_at = 1"])]),
    "operations/back-up.md": Page(
        "finaptic", names={"/mnt/write-once/gatehouse": "anchors", "/mnt/backup/": "", ' "$URL"': "",
                           " --config /etc/gatehouse/gatehouse.json": ""},
        settings={"GATEHOUSE_AUDIT_ANCHORS": "PLACE/anchors", "GATEHOUSE_AUDIT_ACCESS_KEY_ID": "one",
                  "GATEHOUSE_AUDIT_SECRET_ACCESS_KEY": "two"}),
    "operations/configure.md": Page(
        "empty", settings={"GATEHOUSE_BLOBS_ACCESS_KEY_ID": "one", "GATEHOUSE_BLOBS_SECRET_ACCESS_KEY": "two"}),
    "operations/finaptic.md": Page(
        "finaptic", names={"sample@finaptic.com": "applicant0@utopia.example", "sha256/…": "sha256/" + "A" * 43 + "=",
                           "finaptic-7": "finaptic-1", "tenant add finaptic-1": "tenant add finaptic-7"},
        before=[("bank approvals", [
            "gatehouse finaptic bank four-eyes finaptic-1 --acts terms", WAITING_TERMS])],
        given={}),
    "operations/incidents.md": Page(
        "finaptic", names={"/mnt/elsewhere/incident": "incident", "ADMIN": "boss@bank.example", "finaptic-7": "finaptic-1"},
        settings={"GATEHOUSE_AUDIT_ANCHORS": "PLACE/anchors", "GATEHOUSE_AUDIT_ACCESS_KEY_ID": "one",
                  "GATEHOUSE_AUDIT_SECRET_ACCESS_KEY": "two"}),
    "operations/lists.md": Page("empty"),
    "operations/messages.md": Page("finaptic", settings={"GATEHOUSE_MESSAGES_TEMPLATES": "PLACE/words"}),
    "operations/money.md": Page(
        "finaptic",
        values=[("reconcile", {"FILE": "statement.xml"})],
        before=[
            ("payments folder", ["mkdir bank"]),
            ("card resolve", ["INSERT INTO finaptic_card_suspense (id, tenant_id, account_id, payment_id, direction, reason, "
                              "amount, state, since, version) VALUES ('s1', 1, '{%s}', NULL, 'owed', 'over-cleared', 100, "
                              "'waiting', 0, 0)" % ROWS["ACCOUNT"]]),
            ("card credit", ["gatehouse finaptic simulate card purchase finaptic-1 {%s} 3.00" % CARD,
                             "INSERT INTO finaptic_card_dispute (id, tenant_id, reference, payment_id, account_id, amount, "
                             "reason, state, opened_at, version) VALUES ('d1', 1, 'R-1', '{Payment}', '{%s}', 300, 'FRAUD', "
                             "'opened', 0, 0)" % ROWS["ACCOUNT"]]),
        ],
        names={"check FILE …": "check FILE", "folder TENANT FOLDER": "folder TENANT bank", " BIC": " OTHBCATTXXX",
               "--creditor NAME": "--creditor Ann", " KEY": " one", "NUMBER": "98765", **OF_TENANT}),
    "operations/monitor.md": Page("empty"),
    "operations/oneassist.md": Page(
        "seed",
        before=[("membership code", ["UPDATE oneassist_document SET verdict = NULL WHERE membership_id = '{%s LIMIT 1}'" % INSURED])],
        values=[("membership erase", {"MEMBERSHIP": INSURED + " LIMIT 1 OFFSET 1"}),
                        ("membership decide", {"MEMBERSHIP": INSURED + " LIMIT 1 OFFSET 2"})]),
    "operations/people.md": Page(
        "seed",
        values=[
            ("case claim", {"ID": "SELECT id FROM casework_case WHERE kind LIKE 'wultra-%' AND state = 'open' LIMIT 1"}),
            ("case note", {"ID": "SELECT id FROM casework_case WHERE kind LIKE 'wultra-%' LIMIT 1"}),
            ("case ", {"ID": "SELECT id FROM casework_case WHERE holder = 'agent:' || (%s) LIMIT 1" % ADDED}),
            ("staff ", {"ID": ADDED}),
        ],
        # From the one who manages staff on, the rest needs an agent.
        before=[("case list", [staff("omar", ALL), staff("boss", ALL + ",manage:staff")]), ("case take-back", [
            "gatehouse staff permissions {%s} %s --agent boss@bank.example" % (ADDED, ALL),
            "gatehouse powerauth activation block {%s} --reason LOST" % DEVICE,
            "GATEHOUSE_WULTRA_UNBLOCK_FOUR_EYES=true gatehouse powerauth activation unblock "
            "{%s} --reason OPERATIONAL_ERROR %s" % (BLOCKED, AGENT)])]),
    "operations/powerauth.md": Page("seed", values=[("activation ", {"ID": DEVICE})]),
    # The server of PostgreSQL has a role and a database with the names of the page.
    "operations/run.md": Page("empty", names={
        "createuser gatehouse": "createuser bank", "createdb gatehouse --owner gatehouse": "createdb bank --owner bank"}),
    "operations/saltedge.md": Page(
        "saltedge", names={"export mybank": "export demobank", "erase mybank": "erase demobank", "USER": "customer-1"},
        # An installation has one such bank.
        before=[("demo-bank add", ["rm -rf data demo-bank.json"])]),
    "operations/wultra.md": Page(
        "seed",
        values=[
            ("review decide ID retake", {
                "ID": "SELECT id FROM wultra_review WHERE subject = 'documents' AND closed_at IS NULL LIMIT 1"}),
            ("wultra review", {"ID": "SELECT id FROM wultra_review WHERE closed_at IS NULL LIMIT 1"}),
            ("activation unblock", {"ACTIVATION": BLOCKED}),
        ],
        before=[("activation unblock", ["gatehouse powerauth activation block {%s} --reason LOST" % DEVICE]),
                ("wultra user", ["gatehouse powerauth activation show {%s} %s" % (DEVICE, AGENT)])]),
}

# Pages whose play takes much of the processor and shows least that nothing else does, for `--without long` and
# `--only long`.
LONG = {
    "finaptic-banking.md": "17 s with a debug program; most of its commands are those of operations/finaptic.md",
    "operations/money.md": "8 s with a debug program; scripts/command-schemas plays most of its commands",
    "screens.md": "8 s with a release program; ScreenReadingTests draw and read such pictures",
}

# Settings that a set-up is given, with gateways that scripts/deb_peers.py plays.
ANSWERS = """{
  "institution": {"name": "Example Bank", "timeZone": "UTC", "servedPrefixes": ["965"]},
  "host": "app.bank.example", "consoleHost": "console.bank.example", "proxy": "none",
  "mail": {"host": "127.0.0.1", "port": MAIL-PORT, "security": "off",
           "sender": {"name": "Example Bank", "address": "codes@bank.example"}},
  "texts": {"url": "http://127.0.0.1:TEXTS-PORT/send?to={to}&text={text}"},
  "administrator": {"name": "Aya", "email": "aya@bank.example", "gender": "F"},
  "waive": ["faces", "tls"]
}"""
OWN_LIST = "ref,name,dob\nX-1,Ivan LISTED,1971-03-04\n"
QUERIES = "full_name,dob\nIvan Listed,1971-03-04\n"
TEMPLATE = """{"name": "ruritania-card", "kind": "NATIONAL_ID_FRONT_SIDE", "issuing_states": ["RUR"], "languages": ["de"],
 "anchors": ["KENNKARTE"], "values": "below", "dates": "day-first", "fields": [
 {"field": "surname", "captions": ["ZUNAME", "NAME"]},
 {"field": "document_number", "captions": ["KENNZAHL"], "values": "right"}]}"""
PAYMENT = """<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pacs.008.001.08"><FIToFICstmrCdtTrf>
<GrpHdr><MsgId>A</MsgId><CreDtTm>2026-11-26T10:00:00Z</CreDtTm><NbOfTxs>1</NbOfTxs>
<IntrBkSttlmDt>2026-11-27</IntrBkSttlmDt><SttlmInf><SttlmMtd>CLRG</SttlmMtd></SttlmInf></GrpHdr>
<CdtTrfTxInf><PmtId><EndToEndId>OUR-REF</EndToEndId><TxId>TX-1</TxId></PmtId>
<IntrBkSttlmAmt Ccy="EUR">150.00</IntrBkSttlmAmt><ChrgBr>SLEV</ChrgBr><Dbtr><Nm>Ann Other</Nm></Dbtr>
<DbtrAgt><FinInstnId><BICFI>DEUTDEFF</BICFI></FinInstnId></DbtrAgt>
<CdtrAgt><FinInstnId><BICFI>WESTGB2L</BICFI></FinInstnId></CdtrAgt><Cdtr/></CdtTrfTxInf>
</FIToFICstmrCdtTrf></Document>"""
BALANCE = """<Bal><Tp><CdOrPrtry><Cd>%s</Cd></CdOrPrtry></Tp><Amt Ccy="CAD">0.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>
<Dt><Dt>YESTERDAY</Dt></Dt></Bal>"""
# What the bank over which is settled says of an account on which nothing was moved.
STATEMENT = """<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>
<GrpHdr><MsgId>STATEMENTS-1</MsgId><CreDtTm>YESTERDAYT06:00:00Z</CreDtTm></GrpHdr>
<Stmt><Id>DAY-1</Id><Acct><Id><Othr><Id>98765</Id></Othr></Id><Ccy>CAD</Ccy></Acct>
""" + BALANCE % "OPBD" + BALANCE % "CLBD" + "</Stmt></BkToCstmrStmt></Document>"

# Files that lines of a page read.
FILES = {
    "document-templates.md": {"templates/card.json": TEMPLATE},
    "finaptic-data.md": {"national.csv": "line1,line2,locality,area,postal_code\n123 Main St,,Toronto,ON,M5V 2T6\n"},
    "faces.md": {"pairs.csv": "portrait,selfie,same\npassport-1-page.png,selfie-1.jpg,no\nselfie-1.jpg,selfie-1.jpg,yes\n"},
    "install.md": {"answers.json": ANSWERS},
    "operations/lists.md": {"own.csv": OWN_LIST},
    "operations/messages.md": {"words/finaptic/8/sign-in-code.sms.fr.txt": "version: 1\n\nLe code : {code}\n"},
    "operations/money.md": {"message.xml": PAYMENT, "statement.xml": STATEMENT},
    "operations/run.md": {"gatehouse.json": "{}", "node.json": "{}"},
    "screening.md": {"un.csv": OWN_LIST, "ofac.csv": OWN_LIST, "customers.csv": QUERIES,
                     "pairs.csv": "name1,name2\nIvan Listed,Iwan Listed\n"},
    "set-up.md": {"answers.json": ANSWERS},
}

BUNDLES = "gatehouse finaptic bundle show finaptic-1 > bundles.json"
DEPOSIT = "gatehouse finaptic simulate deposit finaptic-1 {%s} 500.00" % ROWS["ACCOUNT"]

# What is done on the page's store before its lines.
FIRST = {
    "document-templates.md": ["gatehouse-lab specimen passport --out ."],
    "faces.md": ["gatehouse-lab specimen passport --out . && gatehouse-lab specimen selfie --out ."],
    "finaptic-banking.md": [BUNDLES, DEPOSIT],
    "finaptic-chat.md": [staff("aya", ALL)],
    "operations/finaptic.md": [BUNDLES, DEPOSIT, staff("aya", ALL)],
    "operations/incidents.md": [staff("boss", ALL + ",manage:staff")],
    "operations/messages.md": ["gatehouse finaptic tenant add finaptic-8 --name Maple --kind sandbox"],
    "operations/money.md": [DEPOSIT],
    "operations/oneassist.md": [
        staff("aya", ALL),
        *("gatehouse oneassist membership photo {%s LIMIT 1 OFFSET 2} %s accept %s" % (INSURED, name, AGENT)
          for name in ("BACK_IMAGE", "IMEI_SCREENSHOT", "SCREEN_IMAGE")),
        "gatehouse oneassist membership decide {%s LIMIT 1 OFFSET 1} reject --reason other %s" % (INSURED, AGENT)],
    "operations/powerauth.md": [staff("aya", ALL), "gatehouse powerauth activation show {%s} %s" % (DEVICE, AGENT)],
    "operations/saltedge.md": ["openssl genrsa -out other.key 2048 && openssl rsa -in other.key -pubout -out other.pem"],
    "operations/wultra.md": [staff("aya", ALL)],
    "rights.md": [staff("aya", ALL)],
    "rubix-calls.md": [staff("aya", ALL)],
    "screening.md": [staff("aya", ALL), staff("omar", ALL)],
    "webhooks.md": ["gatehouse webhooks add finaptic-1 https://bank.example/first", DEPOSIT,
                    "gatehouse sandbox advance 1m --yes"],
}

# What a line may leave with beside 0 and 6, as the page tells.
LEAVES = {
    # Three pictures are not enough to calibrate by.
    ("faces.md", "gatehouse faces calibrate pairs.csv --models models --fmr 0.0001"): (1,),
}
