import { expect, test } from './harness/fixtures.ts'

test('the Japanese consent notice is set in Japanese type on Chinese and Korean pages, sans-serif and serif', async ({
  page,
  links,
}) => {
  const original = page.locator('section p[lang="ja"]')
  // No system font first: a Chinese or Korean one has these characters too, in other forms.
  await page.goto(`${links.open}/creditcard?locale=zh-Hans`)
  await expect(original).toHaveCSS('font-family', /^"Hiragino Sans".*"Noto Sans CJK JP", sans-serif$/)
  await page.goto(`${links.origin}/preview?fontType=serif&locale=ko`)
  await expect(original).toHaveCSS('font-family', /^"Hiragino Mincho ProN".*"Noto Serif CJK JP", serif$/)
})
