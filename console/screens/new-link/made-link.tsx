/** Made link: what was just created, ready to be shared. */
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { Button } from '../../forms/button.tsx'
import { drawQrCode } from '#contract/merchant/checkouts.ts'
import { drawLinkQrCode } from '#contract/merchant/reusable-links.ts'
import { Notice } from '../../forms/notice.tsx'
import { useRead } from '../../session/use-calls.ts'
import { useFormats, useWords } from '../../words/language.tsx'
import { ShareCard } from '../sharing/share-card.tsx'
import type { LinkKind } from './draft.ts'
import styles from './new-link.module.css'
import { newLinkWords } from './words.ts'

/** What both calls answer of it. */
export interface Made {
  readonly kind: LinkKind
  readonly id: string
  readonly url: string
  readonly subject: string | null
  /** Null: the shopper enters it. */
  readonly amount: number | null
}

const usePicture = ({ kind, id }: Made) => {
  const ofCheckout = useRead(drawQrCode, { params: { checkoutId: id } }, { enabled: kind === 'once' })
  const ofLink = useRead(drawLinkQrCode, { params: { linkId: id } }, { enabled: kind === 'reusable' })
  return kind === 'once' ? ofCheckout : ofLink
}

export const MadeLink = ({ made, onAnother }: { readonly made: Made; onAnother(): void }) => {
  const words = useWords(newLinkWords)
  const { yen } = useFormats()
  const { kind, id, url, subject, amount } = made
  const qr = usePicture(made)
  const news = useRef<HTMLDivElement>(null)

  // It takes the place of a form: whoever has sent that one learns what came of it.
  useEffect(() => {
    window.scrollTo(0, 0)
    news.current?.focus({ preventScroll: true })
  }, [])

  return (
    <>
      <div ref={news} tabIndex={-1}>
        <Notice kind="success">{words.madeTitle[kind]}</Notice>
      </div>
      <ShareCard link={{ url, subject, amount: amount === null ? null : yen(amount) }} qr={qr} />
      <div className={styles['next']}>
        <Button kind="primary" type="button" onClick={onAnother}>
          {words.another}
        </Button>
        <Link className={styles['show']} href={kind === 'once' ? `/checkouts/${id}` : `/links/${id}`}>
          {words.show[kind]}
        </Link>
      </div>
    </>
  )
}
