/** Share card: a link to copy, to scan, to send and to print. */
import { useId } from 'react'
import { Button } from '../../forms/button.tsx'
import { CopyButton } from '../../forms/copy-button.tsx'
import { Notice } from '../../forms/notice.tsx'
import { useShop } from '../../session/session.tsx'
import { Card } from '../../shell/screen.tsx'
import { useWords } from '../../words/language.tsx'
import { QrPicture } from './qr-picture.tsx'
import { lineAddress, mailAddress, sheetContents, type SharedLink } from './share-addresses.ts'
import styles from './sharing.module.css'
import { sharingWords } from './words.ts'

interface ShareCardProps {
  readonly link: Omit<SharedLink, 'shop'>
  readonly qr: React.ComponentProps<typeof QrPicture>['of']
}

/** Whoever closes the sheet without sending has changed their mind. */
const openSheet = (contents: ShareData): void => {
  navigator.share(contents).catch(() => undefined)
}

const OutsideLink = ({ href, children }: { readonly href: string; readonly children: string }) => (
  <a className={styles['way']} href={href} target="_blank" rel="noopener noreferrer">
    {children}
  </a>
)

export const ShareCard = ({ link, qr }: ShareCardProps) => {
  const words = useWords(sharingWords)
  const { name, mode } = useShop()
  const id = useId()
  const shared: SharedLink = { ...link, shop: name }
  const contents = sheetContents(shared)
  const hasSheet = typeof navigator.canShare === 'function' && navigator.canShare(contents)
  return (
    <Card title={words.title}>
      {mode === 'test' ? <Notice kind="warning">{words.testLead}</Notice> : null}
      <div className={styles['share']} data-poster>
        <div className={styles['code']}>
          <QrPicture of={qr} />
          <p className={styles['printed']}>{[name, link.subject, link.amount].filter(Boolean).join(' / ')}</p>
          <p className={styles['lead']}>{words.qrLead}</p>
        </div>
        <div className={styles['ways']}>
          <label className={styles['label']} htmlFor={id}>
            {words.address}
          </label>
          <input
            id={id}
            className={styles['address']}
            readOnly
            value={link.url}
            onFocus={(event) => event.target.select()}
          />
          <CopyButton text={link.url}>{words.copy}</CopyButton>
          <div className={styles['others']}>
            <a className={styles['way']} href={mailAddress(shared)}>
              {words.mail}
            </a>
            <OutsideLink href={lineAddress(shared)}>{words.line}</OutsideLink>
            {hasSheet ? (
              <Button kind="secondary" type="button" onClick={() => openSheet(contents)}>
                {words.sheet}
              </Button>
            ) : null}
            <Button kind="secondary" type="button" onClick={() => window.print()}>
              {words.print}
            </Button>
            <OutsideLink href={link.url}>{words.open}</OutsideLink>
          </div>
        </div>
      </div>
    </Card>
  )
}
