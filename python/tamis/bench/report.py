"""The results as one HTML page that needs no network: a table and charts drawn by a few lines of script."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

_PAGE = """<!doctype html><meta charset="utf-8"><title>tamis beside its peers</title>
<style>body{font:15px/1.45 system-ui;margin:2em auto;max-width:1000px;padding:0 1em}table{border-collapse:collapse}
td,th{padding:.15em .7em;text-align:right;border-bottom:1px solid #ddd}.bad{color:#b00}svg{background:#fafafa}
select{font:inherit}</style>
<h1>tamis beside its peers</h1><p id="about"></p>
<h2>Time against length</h2><p><select id="shown"><option value="time">microseconds a call<option value="floor">times the
floor<option value="host">microseconds of the host a call</select>, rows <select id="rows"></select>, both axes logarithmic.
The dotted line is the floor: <span id="floor"></span></p>
<svg id="chart" width="960" height="420"></svg>
<table id="times"></table>
<h2>Exactness by pattern</h2><p>Rows that tamis.verify finds wrong, of those judged. Peers may take any of several equal
scores, and NaN may be lowest or highest as they say; tamis is held to the lowest positions.</p>
<table id="exact"></table>
<script>
const R=DATA,A=ABOUT,$=i=>document.getElementById(i);$('about').textContent=A;
const u=a=>[...new Set(a)],M=u(R.map(r=>r.method)),C=['#0a6','#c50','#06c','#909','#777'];
const T=R.filter(r=>r.time_us),rows=u(T.map(r=>+r.rows)).sort((a,b)=>a-b);
for(const n of rows)$('rows').add(new Option(n,n));
const B={read_once:'a kernel that reads every score once, at its best grid','torch.amax':'torch.amax over the same scores'};
$('floor').textContent=u(T.map(r=>r.floor_by)).map(b=>B[b]).join(' or ');
const V={time:r=>+r.time_us,floor:r=>r.time_us/r.floor_us,host:r=>+r.host_us};
function draw(){const n=+$('rows').value,f=V[$('shown').value],t=T.filter(r=>+r.rows==n&&f(r)>0);
 const L=u(t.map(r=>+r.length)).sort((a,b)=>a-b),F={time:r=>+r.floor_us,floor:r=>1,host:r=>f(r)}[$('shown').value];
 $('chart').innerHTML=$('times').innerHTML='';if(!t.length)return;
 const ys=t.flatMap(r=>[f(r),F(r)]),lo=Math.log(Math.min(...ys)),hi=Math.log(Math.max(...ys));
 const a=Math.log(L[0]),b=Math.log(L[L.length-1]);
 const X=l=>60+760*(b>a?(Math.log(l)-a)/(b-a):.5),Y=v=>385-350*(hi>lo?(Math.log(v)-lo)/(hi-lo):.5);
 let s='';for(const l of L)s+=`<text x=${X(l)-18} y=408 font-size=12>${l}</text>`;
 const line=(p,c,d)=>`<polyline fill=none stroke=${c} stroke-width=2 stroke-dasharray=${d} points="`+
  p.map(q=>X(q[0])+','+Y(q[1])).join(' ')+'"/>';
 if($('shown').value!='host')s+=line(L.map(l=>[l,F(t.find(r=>+r.length==l))]),'#999','3,4');
 M.forEach((m,i)=>{const p=t.filter(r=>r.method==m).sort((x,y)=>x.length-y.length);if(!p.length)return;
  s+=line(p.map(r=>[+r.length,f(r)]),C[i%5],'none');
  for(const r of p)s+=`<circle cx=${X(r.length)} cy=${Y(f(r))} r=4 fill=${C[i%5]}>`+
   `<title>${m} ${n} x ${r.length}: ${f(r).toFixed(2)}</title></circle>`;
  const e=p[p.length-1];s+=`<text x=${X(e.length)+10} y=${Y(f(e))+4} fill=${C[i%5]} font-size=13>${m}</text>`});
 $('chart').innerHTML=s;
 $('times').innerHTML='<tr><th>length'+M.map(m=>'<th>'+m).join('')+'<th>floor, us</tr>'+L.map(l=>{
  const g=m=>t.find(r=>r.method==m&&+r.length==l),k=t.find(r=>+r.length==l);
  return `<tr><td>${l}`+M.map(m=>'<td>'+(g(m)?f(g(m)).toFixed(2):'')).join('')+`<td>${k.floor_us}`}).join('')}
$('rows').onchange=$('shown').onchange=draw;draw();
$('exact').innerHTML='<tr><th>pattern'+M.map(m=>'<th>'+m).join('')+'</tr>'+u(R.map(r=>r.scores)).map(p=>'<tr><td>'+p+
 M.map(m=>{const q=R.filter(r=>r.method==m&&r.scores==p),w=q.reduce((s,r)=>s+ +r.wrong_rows,0);
  return q.length?`<td class="${w?'bad':''}">${w} of ${q.reduce((s,r)=>s+ +r.rows,0)}`:'<td>'}).join('')).join('')
</script>
"""


def page(results: Sequence[dict[str, Any]], about: str) -> str:
    """The page."""
    data = json.dumps(list(results)).replace("<", "\\u003c")
    return _PAGE.replace("DATA", data, 1).replace("ABOUT", json.dumps(about).replace("<", "\\u003c"), 1)
