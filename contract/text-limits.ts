/** Text limits: how many characters the texts of a merchant have. The preview shows no more. */
export const SUBJECT_MAX_LENGTH = 200
export const REMARKS_MAX_LENGTH = 2000
export const SHOP_NAME_MAX_LENGTH = 100
export const SHOP_ADDRESS_MAX_LENGTH = 200
export const SHOP_PHONE_NUMBER_MAX_LENGTH = 50
export const URL_MAX_LENGTH = 2000
export const REFERENCE_MAX_LENGTH = 100
