import type en from '../en/identity.ts'

export default {} satisfies typeof en
