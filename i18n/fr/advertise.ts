import type en from '../en/advertise.ts'

export default {} satisfies typeof en
