/** Plate of a logo: the ground that it is shown on. */

/** Neutral: white and black are both seen on it. */
export const LOGO_PLATES = ['light', 'dark', 'neutral'] as const
export type LogoPlate = (typeof LOGO_PLATES)[number]

export const isLogoPlate = (value: unknown): value is LogoPlate => LOGO_PLATES.some((plate) => plate === value)
