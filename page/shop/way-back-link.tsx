/** Link back to the shop, for a checkout that is over; none where the shop has no web address. */
import type { PageCheckout } from '../parse-answers.ts'
import { ButtonLink } from '#ui/button.tsx'
import { useLanguage } from '../words/language-provider.tsx'
import { wayBackUrl } from './way-back.ts'

interface WayBackLinkProps {
  readonly checkout: PageCheckout
  readonly isDisabled: boolean
}

export const WayBackLink = ({ checkout, isDisabled }: WayBackLinkProps) => {
  const { words } = useLanguage()
  const url = wayBackUrl(checkout)
  if (url === undefined) return null
  return (
    <ButtonLink href={url} isDisabled={isDisabled}>
      {words.shop.back}
    </ButtonLink>
  )
}
