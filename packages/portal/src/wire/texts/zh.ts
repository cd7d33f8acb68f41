import type { Texts } from './en.ts';

const zh: Texts = {
  asking: '收到答复之前连接中断。尚不清楚更改是否已完成，正在询问服务器。',
  carriedOut: '更改已完成，只是答复丢失了。',
  carriedOutUnseen: '更改已完成，但答复丢失了。如果答复本应显示密钥等机密，请重新创建。',
  notCarriedOut: '更改未到达服务器，没有任何改动。',
  unknown: '无法查明更改是否已完成。再次尝试之前请先查看。',
};
export default zh;
