/** Brand logo, with the brand's name as its text alternative. */
import { isCardBrand } from '#contract/brands.ts'
import { Picture } from './picture.tsx'
import { brandName } from '#contract/brand-name.ts'

const SIZE = { width: 36, height: 24 }

export const BrandLogo = ({ brand }: { readonly brand: string }) => (
  <Picture name={isCardBrand(brand) ? brand : 'unknown-brand'} alt={brandName(brand)} {...SIZE} />
)

export const UnknownBrandLogo = () => <Picture name="unknown-brand" alt="" {...SIZE} />

interface SecurityCodePictureProps {
  readonly brand: string | undefined
  readonly onBack: string
  readonly onFront: string
}

/** Where the security code stands: American Express prints four digits on the front, all others three on the back. */
export const SecurityCodePicture = ({ brand, onBack, onFront }: SecurityCodePictureProps) =>
  brand === 'amex' ? (
    <Picture name="cvc-front" alt={onFront} {...SIZE} />
  ) : (
    <Picture name="cvc-back" alt={onBack} {...SIZE} />
  )
