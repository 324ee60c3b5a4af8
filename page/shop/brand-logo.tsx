import amex from '../art/amex.svg'
import diners from '../art/diners.svg'
import discover from '../art/discover.svg'
import jcb from '../art/jcb.svg'
import master from '../art/master.svg'
import unknown from '../art/unknown.svg'
import visa from '../art/visa.svg'
import { brandName, type KnownBrand } from './brand-name.ts'

const LOGOS: Record<KnownBrand, string> = { visa, master, jcb, amex, diners, discover }

const isKnown = (brand: string): brand is KnownBrand => brand in LOGOS

/** The brand's mark with its name for those who cannot see it. */
export const BrandLogo = ({ brand }: { readonly brand: string }) => (
  <img src={isKnown(brand) ? LOGOS[brand] : unknown} alt={brandName(brand)} width={36} height={24} />
)

export const NoBrand = () => <img src={unknown} alt="" width={36} height={24} />
