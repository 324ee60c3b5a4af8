/** Words of the about and the privacy page, for an operator that links none of its own. */
import type { PageLocale } from '#contract/locale.ts'

export const ABOUT_PAGES = ['about', 'privacy'] as const
export type AboutPage = (typeof ABOUT_PAGES)[number]

interface PageText {
  readonly title: string
  /** Texts by their headings, in the order in which they are shown. */
  readonly sections: Readonly<Record<string, string>>
}

export interface AboutPageWords extends Readonly<Record<AboutPage, PageText>> {
  /** Names the list of languages for a screen reader. */
  readonly languages: string
}

/** What stands here of the data must be so: server/card-hold/, server/store/. */
export const aboutPageWords: Readonly<Record<PageLocale, AboutPageWords>> = {
  ja: {
    languages: '言語',
    about: {
      title: 'このサービスについて',
      sections: {
        Kaikeiとは:
          'Kaikeiは、ネットショップのためのクレジットカード決済ページです。ショップからのご請求を表示し、本人認証（3Dセキュア）を行ったうえでお支払いを受け付け、お支払い明細を表示します。',
        ご利用方法:
          'お支払いページは、ショップから届いたリンクで開けます。商品やご注文、お支払いについては、お支払いページに記載のショップへお問い合わせください。',
      },
    },
    privacy: {
      title: 'プライバシーポリシー',
      sections: {
        お預かりする情報:
          'お支払いの際に、カード番号、有効期限、セキュリティコード、カード名義、メールアドレスをご入力いただきます。これらはお支払いの手続きと確認のために利用します。',
        情報の保管:
          'カード番号と有効期限は、お支払いの手続き中に最長15分間だけメモリ上で保持し、ディスクには保存しません。セキュリティコードは決済のために送信した後、保管しません。お支払いの記録として、金額、日時、取引番号、カードのブランドと下4桁、メールアドレス、表示言語を保管します。カードの不正利用を検知するため、IPアドレスと、カード番号から算出した照合用の値（カード番号は読み取れません）を1日間保管します。',
        情報の提供先:
          '決済のために決済代行会社・カード会社へ、本人認証のためにご利用のカードの発行会社へ情報を提供します。本人認証では、氏名、メールアドレス、IPアドレスのほか、ご利用の端末とブラウザに関する情報も提供します。この端末に関する情報は、認証後に削除します。カード会社が外国にある場合は、その国へ情報が移転されることがあります。ショップにはお支払いの結果をお知らせします。',
        Cookieなど:
          'お支払いページでは、Cookieを使用せず、ブラウザに情報を保存しません。広告の表示や行動の追跡も行いません。',
        お問い合わせ: 'お支払いページに記載のショップへお問い合わせください。',
      },
    },
  },
  'en-US': {
    languages: 'Language',
    about: {
      title: 'About this service',
      sections: {
        'What Kaikei is':
          'Kaikei is a credit card payment page for online shops. It shows the shop’s invoice, takes the payment with an identity check (3-D Secure) and shows the receipt.',
        'How to use it':
          'You open the payment page by the link that your shop sent you. For questions about your order or your payment, please contact the shop; how to reach it is shown on the payment page.',
      },
    },
    privacy: {
      title: 'Privacy policy',
      sections: {
        'What you enter':
          'To pay, you enter your card number, expiration date, security code, name on card and email address. They are used to make and confirm this payment.',
        'What is kept':
          'Card number and expiration date are held in memory for at most 15 minutes while the payment is made, and are never written to disk. The security code is passed on for the payment and not kept. The record of a payment holds its amount, time and transaction number, the brand and last four digits of the card, your email address and the language of the page. To detect misuse of cards, your IP address and a value computed from the card number, from which the number cannot be read, are kept for one day.',
        'Who receives it':
          'The companies that process the card payment; and your card issuer, for the identity check, which receives your name, email address, IP address and information about your device and browser. The information about your device and browser is deleted here after the check. If your card issuer is outside Japan, the information may be transferred to that country. The shop is told the result of the payment.',
        Cookies:
          'The payment page sets no cookies and stores nothing in your browser. It has no advertising and no tracking.',
        Questions: 'Please contact the shop; how to reach it is shown on the payment page.',
      },
    },
  },
  ko: {
    languages: '언어',
    about: {
      title: '서비스 소개',
      sections: {
        Kaikei란:
          'Kaikei는 온라인 상점을 위한 신용카드 결제 페이지입니다. 상점의 청구서를 보여 드리고, 본인 인증(3-D Secure)을 거쳐 결제를 처리한 뒤 영수증을 보여 드립니다.',
        '이용 방법':
          '결제 페이지는 상점에서 보낸 링크로 열 수 있습니다. 주문이나 결제에 관한 문의는 결제 페이지에 안내된 상점으로 연락해 주세요.',
      },
    },
    privacy: {
      title: '개인정보 처리방침',
      sections: {
        '입력하시는 정보':
          '결제할 때 카드 번호, 유효기간, 보안 코드(CVC), 카드 소유자 이름, 이메일을 입력하시게 됩니다. 이 정보는 결제를 처리하고 확인하는 데 사용합니다.',
        '정보의 보관':
          '카드 번호와 유효기간은 결제가 진행되는 동안 최대 15분간 메모리에만 보관하며 디스크에 저장하지 않습니다. 보안 코드는 결제를 위해 전달한 뒤 보관하지 않습니다. 결제 기록에는 금액, 일시, 거래 번호, 카드 브랜드와 끝 네 자리, 이메일, 표시 언어가 포함됩니다. 카드 부정 사용을 감지하기 위해 IP 주소와, 카드 번호로 계산한 대조용 값(카드 번호는 알아낼 수 없음)을 1일간 보관합니다.',
        '정보를 제공받는 곳':
          '카드 결제를 처리하는 회사와, 본인 인증을 위해 카드를 발급한 카드사에 정보를 제공합니다. 본인 인증에는 이름, 이메일, IP 주소 외에 사용 중인 기기와 브라우저에 관한 정보도 제공하며, 이 기기 정보는 인증 후 삭제합니다. 카드사가 일본 국외에 있는 경우 해당 국가로 정보가 이전될 수 있습니다. 상점에는 결제 결과를 알립니다.',
        쿠키: '결제 페이지는 쿠키를 사용하지 않으며 브라우저에 아무것도 저장하지 않습니다. 광고나 행동 추적도 없습니다.',
        문의: '결제 페이지에 안내된 상점으로 문의해 주세요.',
      },
    },
  },
  'zh-Hans': {
    languages: '语言',
    about: {
      title: '关于本服务',
      sections: {
        'Kaikei 是什么':
          'Kaikei 是面向网店的信用卡支付页面。它显示商家的账单，经身份验证（3-D Secure）后完成支付，并显示收据。',
        如何使用: '请通过商家发送给您的链接打开支付页面。如对订单或支付有疑问，请联系支付页面上所示的商家。',
      },
    },
    privacy: {
      title: '隐私政策',
      sections: {
        您输入的信息:
          '支付时，您需要输入卡号、有效期、安全码（CVV）、持卡人姓名和电子邮箱。这些信息用于完成和确认本次支付。',
        信息的保存:
          '卡号和有效期仅在支付过程中保存在内存里，最长 15 分钟，不会写入磁盘。安全码在支付时传送后不再保留。支付记录包括金额、时间、交易号、卡品牌和卡号后四位、电子邮箱以及页面语言。为发现盗刷，IP 地址以及由卡号计算出的比对值（无法从中读出卡号）会保存 1 天。',
        信息的接收方:
          '处理信用卡支付的公司，以及负责身份验证的发卡行。身份验证时，除姓名、电子邮箱和 IP 地址外，还会提供您所用设备和浏览器的相关信息；验证后，我们会删除这些设备信息。发卡行位于日本境外的，信息可能会被传输至其所在国家或地区。支付结果会告知商家。',
        Cookie: '支付页面不使用 Cookie，也不在您的浏览器中保存任何信息，没有广告，也不进行跟踪。',
        联系我们: '请联系支付页面上所示的商家。',
      },
    },
  },
  'zh-Hant': {
    languages: '語言',
    about: {
      title: '關於本服務',
      sections: {
        'Kaikei 是什麼':
          'Kaikei 是網路商店的信用卡付款頁面。它會顯示商店的帳單，經身分驗證（3-D Secure）後完成付款，並顯示收據。',
        使用方式: '請透過商店傳送給您的連結開啟付款頁面。若對訂單或付款有疑問，請聯絡付款頁面上所示的商店。',
      },
    },
    privacy: {
      title: '隱私權政策',
      sections: {
        您輸入的資訊:
          '付款時，您需要輸入信用卡卡號、有效期限、安全碼（CVV）、持卡人姓名和電子郵件。這些資訊用於完成及確認本次付款。',
        資訊的保存:
          '卡號和有效期限僅於付款過程中保存在記憶體中，最長 15 分鐘，不會寫入磁碟。安全碼於付款時傳送後即不保留。付款紀錄包括金額、時間、交易編號、卡片品牌與末四碼、電子郵件以及頁面語言。為偵測盜刷，IP 位址以及由卡號計算出的比對值（無法從中讀出卡號）會保存 1 天。',
        資訊的接收者:
          '處理信用卡付款的公司，以及進行身分驗證的發卡銀行。身分驗證時，除姓名、電子郵件和 IP 位址外，也會提供您所用裝置與瀏覽器的相關資訊；驗證後，我們會刪除這些裝置資訊。若發卡銀行位於日本境外，資訊可能會傳輸至其所在國家或地區。付款結果會告知商店。',
        Cookie: '付款頁面不使用 Cookie，也不會在您的瀏覽器中儲存任何資訊，沒有廣告，也不進行追蹤。',
        聯絡我們: '請聯絡付款頁面上所示的商店。',
      },
    },
  },
  th: {
    languages: 'ภาษา',
    about: {
      title: 'เกี่ยวกับบริการนี้',
      sections: {
        'Kaikei คืออะไร':
          'Kaikei คือหน้าชำระเงินด้วยบัตรเครดิตสำหรับร้านค้าออนไลน์ แสดงใบแจ้งหนี้ของร้านค้า รับชำระเงินพร้อมการยืนยันตัวตน (3-D Secure) และแสดงใบเสร็จ',
        วิธีใช้งาน:
          'คุณเปิดหน้าชำระเงินได้จากลิงก์ที่ร้านค้าส่งให้ หากมีคำถามเกี่ยวกับคำสั่งซื้อหรือการชำระเงิน กรุณาติดต่อร้านค้าตามที่แสดงในหน้าชำระเงิน',
      },
    },
    privacy: {
      title: 'นโยบายความเป็นส่วนตัว',
      sections: {
        ข้อมูลที่คุณกรอก:
          'ในการชำระเงิน คุณกรอกหมายเลขบัตร วันหมดอายุ รหัสความปลอดภัย (CVV) ชื่อบนบัตร และอีเมล ข้อมูลเหล่านี้ใช้เพื่อดำเนินการและยืนยันการชำระเงินนี้',
        ข้อมูลที่เก็บไว้:
          'หมายเลขบัตรและวันหมดอายุเก็บไว้ในหน่วยความจำไม่เกิน 15 นาทีระหว่างการชำระเงิน และไม่บันทึกลงดิสก์ รหัสความปลอดภัยจะถูกส่งต่อเพื่อการชำระเงินและไม่เก็บไว้ บันทึกการชำระเงินประกอบด้วยจำนวนเงิน เวลา หมายเลขธุรกรรม แบรนด์บัตรและเลข 4 ตัวท้าย อีเมล และภาษาของหน้า เพื่อตรวจจับการใช้บัตรโดยมิชอบ เราเก็บที่อยู่ IP และค่าสำหรับเปรียบเทียบที่คำนวณจากหมายเลขบัตร (ซึ่งอ่านหมายเลขบัตรจากค่านี้ไม่ได้) ไว้ 1 วัน',
        ผู้ที่ได้รับข้อมูล:
          'บริษัทที่ดำเนินการชำระเงินด้วยบัตร และผู้ออกบัตรของคุณเพื่อการยืนยันตัวตน ซึ่งจะได้รับชื่อ อีเมล ที่อยู่ IP และข้อมูลเกี่ยวกับอุปกรณ์และเบราว์เซอร์ของคุณ เราจะลบข้อมูลอุปกรณ์นี้หลังการยืนยันตัวตน หากผู้ออกบัตรอยู่นอกประเทศญี่ปุ่น ข้อมูลอาจถูกโอนไปยังประเทศนั้น ร้านค้าจะได้รับแจ้งผลการชำระเงิน',
        คุกกี้: 'หน้าชำระเงินไม่ใช้คุกกี้และไม่บันทึกข้อมูลใดในเบราว์เซอร์ของคุณ ไม่มีโฆษณาและไม่มีการติดตาม',
        คำถาม: 'กรุณาติดต่อร้านค้าตามที่แสดงในหน้าชำระเงิน',
      },
    },
  },
}
