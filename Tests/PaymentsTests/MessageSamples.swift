// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Messages written by hand, not by our own writer. Both are valid by the published schemas.
enum MessageSamples {
  static let creditTransfers = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!-- Written by hand, not by our own writer. -->
    <p:Document xmlns:p="urn:iso:std:iso:20022:tech:xsd:pacs.008.001.08">
      <p:FIToFICstmrCdtTrf>
        <p:GrpHdr>
          <p:MsgId>PAY-1</p:MsgId>
          <p:CreDtTm>2026-11-26T10:11:12.123+01:00</p:CreDtTm>
          <p:NbOfTxs>2</p:NbOfTxs>
          <p:CtrlSum>151.005</p:CtrlSum>
          <p:IntrBkSttlmDt>2026-11-27</p:IntrBkSttlmDt>
          <p:SttlmInf><p:SttlmMtd>CLRG</p:SttlmMtd></p:SttlmInf>
          <p:InstgAgt><p:FinInstnId><p:BICFI>DEUTDEFF</p:BICFI></p:FinInstnId></p:InstgAgt>
        </p:GrpHdr>
        <p:CdtTrfTxInf>
          <p:PmtId><p:EndToEndId>E2E-1</p:EndToEndId><p:TxId>TX-1</p:TxId></p:PmtId>
          <p:IntrBkSttlmAmt Ccy="EUR">150.00</p:IntrBkSttlmAmt>
          <p:ChrgBr>SLEV</p:ChrgBr>
          <p:Dbtr><p:Nm>Müller &amp; Söhne</p:Nm><p:PstlAdr><p:Ctry>DE</p:Ctry></p:PstlAdr></p:Dbtr>
          <p:DbtrAcct><p:Id><p:IBAN>DE89370400440532013000</p:IBAN></p:Id></p:DbtrAcct>
          <p:DbtrAgt><p:FinInstnId><p:BICFI>DEUTDEFF</p:BICFI></p:FinInstnId></p:DbtrAgt>
          <p:CdtrAgt><p:FinInstnId><p:BICFI>WESTGB2LXXX</p:BICFI></p:FinInstnId></p:CdtrAgt>
          <p:Cdtr><p:Nm>Ann Other</p:Nm></p:Cdtr>
          <p:CdtrAcct><p:Id><p:IBAN>GB82WEST12345698765432</p:IBAN></p:Id></p:CdtrAcct>
          <p:RmtInf><p:Ustrd><![CDATA[Invoice <7>]]></p:Ustrd></p:RmtInf>
        </p:CdtTrfTxInf>
        <p:CdtTrfTxInf>
          <p:PmtId><p:EndToEndId>NOTPROVIDED</p:EndToEndId></p:PmtId>
          <p:IntrBkSttlmAmt Ccy="KWD">1.005</p:IntrBkSttlmAmt>
          <p:ChrgBr>SHAR</p:ChrgBr>
          <p:Dbtr/>
          <p:DbtrAgt><p:FinInstnId><p:ClrSysMmbId><p:MmbId>200000</p:MmbId></p:ClrSysMmbId></p:FinInstnId></p:DbtrAgt>
          <p:CdtrAgt><p:FinInstnId/></p:CdtrAgt>
          <p:Cdtr/>
          <p:CdtrAcct><p:Id><p:Othr><p:Id>12-34</p:Id></p:Othr></p:Id></p:CdtrAcct>
        </p:CdtTrfTxInf>
      </p:FIToFICstmrCdtTrf>
    </p:Document>
    """

  static let statement = """
    <?xml version="1.0" encoding="UTF-8"?>
    <Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">
      <BkToCstmrStmt>
        <GrpHdr><MsgId>STATEMENTS-1</MsgId><CreDtTm>2026-11-27T06:00:00Z</CreDtTm></GrpHdr>
        <Stmt>
          <Id>DAY-331</Id>
          <ElctrncSeqNb>331</ElctrncSeqNb>
          <Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy></Acct>
          <Bal>
            <Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp>
            <Amt Ccy="EUR">100.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Dt><Dt>2026-11-26</Dt></Dt>
          </Bal>
          <Bal>
            <Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp>
            <Amt Ccy="EUR">50.25</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><DtTm>2026-11-26T23:59:59+01:00</DtTm></Dt>
          </Bal>
          <Ntry>
            <NtryRef>1</NtryRef>
            <Amt Ccy="EUR">200.25</Amt><CdtDbtInd>CRDT</CdtDbtInd>
            <Sts><Cd>BOOK</Cd></Sts>
            <BookgDt><Dt>2026-11-26</Dt></BookgDt><ValDt><Dt>2026-11-27</Dt></ValDt>
            <AcctSvcrRef>BANK-1</AcctSvcrRef>
            <BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd>
            <NtryDtls>
              <TxDtls>
                <Refs><MsgId>PAY-1</MsgId><EndToEndId>E2E-1</EndToEndId><TxId>TX-1</TxId></Refs>
                <Amt Ccy="EUR">150.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>
              </TxDtls>
              <TxDtls>
                <Refs><UETR>86d7da8e-6e41-4466-b9bb-9b41d5814d5a</UETR></Refs>
                <Amt Ccy="EUR">50.25</Amt><CdtDbtInd>CRDT</CdtDbtInd>
              </TxDtls>
            </NtryDtls>
          </Ntry>
          <Ntry>
            <Amt Ccy="EUR">50.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><RvslInd>true</RvslInd>
            <Sts><Cd>BOOK</Cd></Sts>
            <BkTxCd><Prtry><Cd>REVERSAL</Cd></Prtry></BkTxCd>
          </Ntry>
          <Ntry>
            <Amt Ccy="EUR">9.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>
            <Sts><Cd>PDNG</Cd></Sts>
            <BkTxCd><Prtry><Cd>COMING</Cd></Prtry></BkTxCd>
          </Ntry>
        </Stmt>
      </BkToCstmrStmt>
    </Document>
    """

  /// The sample with the first place of a text replaced by another.
  static func changed(_ sample: String, _ old: String, _ new: String) -> Data {
    guard let place = sample.firstRange(of: old) else { preconditionFailure("The sample does not have \(old).") }
    return Data(sample.replacingCharacters(in: place, with: new).utf8)
  }
}
