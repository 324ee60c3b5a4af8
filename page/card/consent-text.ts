/** Consent notice for 3-D Secure: in Japanese for every shopper (specification, section 2); other languages translate it. */
export const CONSENT_NOTICE =
  '不正利用の検知・防止のため、お客様が入力された情報（氏名、メールアドレスなど）およびご利用の端末に関する情報を、ご利用のカードを発行したカード会社へ提供します。カード会社が外国にある場合は、その国へ情報が移転されることがあります。お支払いいただくことで、これに同意いただいたものとみなします。'
