/** The id of the field for the postal address, for links that lead to it. */
export const POSTAL_FIELD = 'postal'
