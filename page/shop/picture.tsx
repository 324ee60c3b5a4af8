/** Picture: a brand's logo, the lock or the product's mark, out of the one file that holds them all. */
import pictures from '../art/pictures.svg'
import { useIsLive } from '../live.tsx'

/** The ids of the symbols in art/pictures.svg. */
export type PictureName =
  | 'visa'
  | 'master'
  | 'jcb'
  | 'amex'
  | 'diners'
  | 'discover'
  | 'unknown-brand'
  | 'cvc-back'
  | 'cvc-front'
  | 'lock'
  | 'powered-by'
  | 'visa-secure'
  | 'mastercard-identity-check'
  | 'jcb-j-secure'
  | 'amex-safekey'
  | 'diners-protectbuy'

interface PictureProps {
  readonly name: PictureName
  /** Its text alternative. Empty: it only decorates. */
  readonly alt: string
  readonly width: number
  readonly height: number
}

export const Picture = ({ name, alt, width, height }: PictureProps) => (
  <svg
    width={width}
    height={height}
    viewBox={`0 0 ${width} ${height}`}
    {...(alt === '' ? { 'aria-hidden': true } : { role: 'img', 'aria-label': alt })}
  >
    {useIsLive() ? <use href={`${pictures}#${name}`} /> : null}
  </svg>
)
