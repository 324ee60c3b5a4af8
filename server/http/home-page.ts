/** Home page of the bare base host. */

/** The bare base host: no merchant lives here, but the footer's links lead here until the operator sets its own. */
export const drawHome = (nonce: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Kaikei</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<style nonce="${nonce}">
body { margin: 0; background: #f6f7f9; color: #14181f; font: 16px/1.6 system-ui, sans-serif; }
main { max-width: 520px; margin: 48px auto; padding: 32px; background: #fff; border-radius: 16px; }
h1 { margin: 0; font-size: 28px; line-height: 1.2; } h2 { margin: 32px 0 0; font-size: 16px; } p { margin: 8px 0 0; }
</style>
</head>
<body>
<main>
<h1>Kaikei</h1>
<p>Hosted card checkout. Shoppers pay on the page of their shop; its link is in the message the shop sent.</p>
<h2 id="about">About this service</h2>
<p>Kaikei shows a shop's invoice, takes a credit card payment for it and shows the receipt.</p>
<h2 id="privacy">Privacy</h2>
<p>Card numbers are kept in memory while a payment is being made and never written to disk; security codes are passed on
and not kept. The e-mail address is used for the receipt. The pages set no cookies and load nothing from other sites. The
operator of this installation has not linked a privacy policy of its own yet.</p>
</main>
</body>
</html>
`
