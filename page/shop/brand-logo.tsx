import { isCardBrand, type CardBrand } from '#contract/brands.ts'
import amex from '../art/amex.svg'
import cvcBack from '../art/cvc-back.svg'
import cvcFront from '../art/cvc-front.svg'
import diners from '../art/diners.svg'
import discover from '../art/discover.svg'
import jcb from '../art/jcb.svg'
import master from '../art/master.svg'
import unknown from '../art/unknown-brand.svg'
import visa from '../art/visa.svg'
import { brandName } from './brand-name.ts'

const LOGOS: Record<CardBrand, string> = { visa, master, jcb, amex, diners, discover }

/** Brand logo, with the brand's name as its text alternative. */
export const BrandLogo = ({ brand }: { readonly brand: string }) => (
  <img src={isCardBrand(brand) ? LOGOS[brand] : unknown} alt={brandName(brand)} width={36} height={24} />
)

export const UnknownBrandLogo = () => <img src={unknown} alt="" width={36} height={24} />

interface SecurityCodePictureProps {
  readonly brand: string | undefined
  readonly onBack: string
  readonly onFront: string
}

/** Where the security code stands: American Express prints four digits on the front, all others three on the back. */
export const SecurityCodePicture = ({ brand, onBack, onFront }: SecurityCodePictureProps) =>
  brand === 'amex' ? (
    <img src={cvcFront} alt={onFront} width={36} height={24} />
  ) : (
    <img src={cvcBack} alt={onBack} width={36} height={24} />
  )
