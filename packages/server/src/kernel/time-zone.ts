export { isTimeZone } from '@helioport/contract';
