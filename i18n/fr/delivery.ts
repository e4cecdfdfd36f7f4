import type en from '../en/delivery.ts'

export default {} satisfies typeof en
