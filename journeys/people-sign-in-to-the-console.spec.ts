import type { Browser, Page } from '@playwright/test'
import { errorBody } from '#contract/errors.ts'
import { expectAccessibleInProof } from './harness/axe.ts'
import { addAuthenticator, enrolPasskey, expectScreen, signIn, signOut } from './harness/console.ts'
import { expect, test } from './harness/fixtures.ts'

/** No fault that axe finds, and nothing to scroll sideways to. */
const expectUsable = async (page: Page): Promise<void> => {
  await expectAccessibleInProof(page)
  const { scrollWidth, clientWidth } = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return { scrollWidth, clientWidth }
  })
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
}

/** The link in the newest mail to this address that has these words, asked for until it is there. */
const linkMailedTo = async (mailbox: string, email: string, path: string, words = ''): Promise<string> => {
  let link: string | undefined
  const readLink = async (): Promise<string | undefined> => {
    const list = await (await fetch(`${mailbox}/v1/mails`)).json()
    const { items } = list as { items: { number: number; recipients: string[] }[] }
    for (const { number } of items.filter(({ recipients }) => recipients.includes(email))) {
      const html = await (await fetch(`${mailbox}/${number}/html`)).text()
      if (html.includes(words)) link = new RegExp(`https?://[^"<\\s]+${path}[a-z0-9]+`).exec(html)?.[0] ?? link
    }
    return link
  }
  await expect.poll(readLink, { intervals: [100, 200, 300] }).toBeDefined()
  return link ?? ''
}

/** How a call ends that this page sends by itself, with the session of its person: accepted, or the code of the refusal. */
const sendFrom = (page: Page, path: string, body: object): Promise<unknown> =>
  page.evaluate(
    async ([address, payload]) => {
      const headers = { merchant: 'demo', mode: 'test', 'content-type': 'application/json' }
      const answer = await fetch(address, { method: 'POST', headers, body: payload })
      const { code } = (await answer.json()) as { code?: unknown }
      return answer.ok ? 'accepted' : code
    },
    [path, JSON.stringify(body)] as const,
  )

test('an owner who has set up the console signs in with the passkey, confirms with it, and after signing out an old tab is told so', async ({
  page,
  owner,
}) => {
  await signIn(page, owner)
  await expect(page.getByRole('navigation', { name: 'Mode' }).getByText('Test')).toHaveAttribute('aria-current', 'true')
  await expect(page).toHaveTitle(/\(Test\)/)

  const old = await page.context().newPage()
  await old.goto(`${owner.origin}/account`)
  await expectScreen(old, 'Account')

  await signOut(page)
  expect(await sendFrom(old, '/merchant/v1/checkouts', { amount: 100 })).toBe('signed_out')
  // The window gets the focus again, and reads who has signed in.
  await old.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await expectScreen(old, 'Sign in')
  await expect(old.getByText('You are signed out.')).toBeVisible()
  await expect(old.getByText(owner.email)).toHaveCount(0)

  // The same passkey, and back on the screen that the address names.
  await page.goto(`${owner.origin}/account`)
  await page.getByRole('button', { name: 'Sign in with passkey' }).click()
  await expectScreen(page, 'Account')

  await test.step('a call that needs the passkey asks for it and is sent again, by keyboard alone', async () => {
    let refusals = 0
    await page.route('**/console/v1/passkeys/enrolment', async (route) => {
      if (refusals > 0) return route.continue()
      refusals += 1
      return route.fulfill({ status: 403, json: errorBody({ refused: 'passkey_needed' }) })
    })
    await page.getByRole('button', { name: 'Add a passkey' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByLabel('Name of the passkey').fill('Tablet')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Confirm with your passkey' })
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByText('No passkey was made.')).toBeVisible()
    await expect(dialog).toBeHidden()

    refusals = 0
    await page.getByRole('button', { name: 'Make a passkey' }).focus()
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Confirm with passkey' }).focus()
    await page.keyboard.press('Enter')
    // The authenticator has a passkey of this person already, and refuses to make a second one: the call behind the dialog was sent.
    await expect(page.getByRole('dialog', { name: 'Add a passkey' }).getByRole('alert')).toBeVisible()
  })
})

const openAsStranger = async (browser: Browser, locale: string): Promise<Page> => {
  const context = await browser.newContext({ locale, reducedMotion: 'reduce', viewport: { width: 320, height: 640 } })
  return context.newPage()
}

/** Invited by the owner's page, opens the mail in another browser and makes a passkey there. */
const join = async (
  inviting: Page,
  { browser, mailbox }: { readonly browser: Browser; readonly mailbox: string },
  { email, role, name }: { readonly email: string; readonly role: 'staff' | 'viewer'; readonly name: string },
): Promise<Page> => {
  expect(await sendFrom(inviting, '/console/v1/invitations', { email, role, locale: 'ja' })).toBe('accepted')
  const page = await openAsStranger(browser, 'ja-JP')
  await addAuthenticator(page)
  await page.goto(await linkMailedTo(mailbox, email, '/invitation/'))
  await page.getByLabel('お名前').fill(name)
  await page.getByRole('button', { name: '参加する' }).click()
  await enrolPasskey(page)
  return page
}

test('people who were invited see and may do what their role says, and one who has lost the passkey recovers by mail', async ({
  page,
  owner,
  kaikei,
  links,
  browser,
}) => {
  await signIn(page, owner)
  const email = 'staff@example.com'
  const at = { browser, mailbox: kaikei.mailbox }
  const [invited, viewer] = [
    await join(page, at, { email, role: 'staff', name: '鈴木 一郎' }),
    await join(page, at, { email: 'viewer@example.com', role: 'viewer', name: '高橋 花子' }),
  ]
  const shop = `${owner.origin}/shops/demo/test`
  const paid = links.paid.split('/').at(-1) ?? ''
  const entry = (person: Page, name: string) => person.getByRole('link', { name, exact: true, includeHidden: true })

  await test.step('staff make links and send receipts, and neither refund nor change settings nor see keys', async () => {
    await invited.goto(`${shop}/checkouts/${paid}`)
    await expectScreen(invited, '決済の詳細')
    await expect(invited.getByRole('button', { name: '領収書を再送' })).toBeVisible()
    await expect(invited.getByRole('button', { name: '返金する' })).toHaveCount(0)
    await expect(entry(invited, 'リンク作成')).not.toHaveCount(0)
    await expect(entry(invited, '開発者')).toHaveCount(0)
    expect(await sendFrom(invited, '/merchant/v1/checkouts', { amount: 100 })).toBe('accepted')
    expect(await sendFrom(invited, `/merchant/v1/checkouts/${paid}/refunds`, { refundId: 'by-staff' })).toBe(
      'role_not_allowed',
    )
    expect(await sendFrom(invited, '/console/v1/invitations', { email, role: 'owner', locale: 'ja' })).toBe(
      'role_not_allowed',
    )
    await invited.goto(`${shop}/look`)
    await expect(invited.getByText('設定を変更できるのはオーナーだけです。')).toBeVisible()
    await invited.goto(`${shop}/developers`)
    await expect(invited.getByText('権限がありません')).toBeVisible()
    await expect(invited.getByText(/オーナーだけが使えます/)).toBeVisible()
  })

  await test.step('a viewer reads, and is told so where somebody with more rights would write', async () => {
    await viewer.goto(`${shop}/checkouts/${paid}`)
    await expectScreen(viewer, '決済の詳細')
    await expect(viewer.getByRole('button', { name: '印刷' })).toBeVisible()
    for (const name of ['領収書を再送', '返金する']) await expect(viewer.getByRole('button', { name })).toHaveCount(0)
    for (const name of ['リンク作成', '店頭決済', '開発者']) await expect(entry(viewer, name)).toHaveCount(0)
    expect(await sendFrom(viewer, '/merchant/v1/checkouts', { amount: 100 })).toBe('role_not_allowed')
    expect(await sendFrom(viewer, `/merchant/v1/checkouts/${paid}/receipts`, {})).toBe('role_not_allowed')
    await viewer.goto(`${shop}/new-link`)
    await expect(viewer.getByText(/オーナーとスタッフだけが使えます/)).toBeVisible()
  })

  await test.step('an invitation of a person who exists is accepted by nobody else: sign in first, then join', async () => {
    const shopOfViewer = {
      label: 'second',
      shopName: 'Second Shop',
      owner: { email: 'viewer@example.com', locale: 'ja' },
    }
    expect(await sendFrom(page, '/console/v1/operator/shops', shopOfViewer)).toBe('accepted')
    const link = await linkMailedTo(kaikei.mailbox, 'viewer@example.com', '/invitation/', 'Second Shop')
    await page.goto(link)
    await expectScreen(page, 'This invitation is for somebody else')
    await expectUsable(page)

    await signOut(viewer)
    await viewer.goto(link)
    await expectScreen(viewer, 'サインイン')
    await expect(viewer.getByText(/先にサインインすると、この画面で参加できます。/)).toBeVisible()
    await expectUsable(viewer)
    await viewer.getByRole('button', { name: 'パスキーでサインイン' }).click()
    await expectScreen(viewer, 'Second Shop への招待')
    await viewer.getByRole('button', { name: '参加する' }).click()
    await expect(viewer.getByRole('button', { name: /^アカウント: / })).toBeVisible()
    await viewer.goto(`${owner.origin}/shops/second/test/people`)
    await expectScreen(viewer, 'メンバー')
  })

  const recovering = await openAsStranger(browser, 'ja-JP')
  await addAuthenticator(recovering)
  await recovering.goto(owner.origin)
  await expectScreen(recovering, 'サインイン')
  await expectUsable(recovering)
  await recovering.getByLabel('メールアドレス').fill(email)
  await recovering.getByRole('button', { name: 'リンクをメールで送る' }).click()
  await expectScreen(recovering, 'メールをご確認ください')
  await recovering.goto(await linkMailedTo(kaikei.mailbox, email, '/sign-in/'))
  await expectScreen(recovering, 'アカウントの復旧')
  await recovering.getByRole('button', { name: '復旧して続ける' }).click()
  await enrolPasskey(recovering)
  await recovering.goto(`${owner.origin}/account`)
  await expect(recovering.getByText(/返金などの確認には .+ から使えます/)).toBeVisible()
  await expectUsable(recovering)

  // The browser that was signed in before is signed out by the recovery.
  await invited.goto(`${owner.origin}/account`)
  await expectScreen(invited, 'サインイン')
  await Promise.all([invited, viewer, recovering].map((each) => each.context().close()))
})

const USABLE = 'sign-in and account have no fault of accessibility, and fit 320 px'
test(USABLE, { tag: '@proof' }, async ({ page, owner }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(owner.origin)
  await expectScreen(page, 'Sign in')
  await expectUsable(page)
  await signIn(page, owner, '/account')
  await expectScreen(page, 'Account')
  await expect(page.getByText('This device')).toBeVisible()
  await expectUsable(page)
  await page.getByRole('button', { name: /^Account: / }).click()
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible()
  await expectUsable(page)
})
