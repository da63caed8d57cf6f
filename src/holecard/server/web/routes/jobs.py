"""Computations for designers with an account: check, analyze, evaluate, strategy."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends
from pydantic import BaseModel, ConfigDict

from holecard.server.accounts.sessions import User
from holecard.server.errors import NotAllowed
from holecard.server.jobs.job import Job, JobState
from holecard.server.jobs.requests import JobRequest
from holecard.server.web.identity import Service, SignedIn
from holecard.server.web.refusals import SIGNED_IN, refusals

router = APIRouter(prefix="/api/v1/jobs", tags=["computations"], responses=SIGNED_IN)


class JobInfo(BaseModel):
    """A computation, and its result when it is done."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    id: str
    """Its id."""
    what: str
    """What is computed."""
    state: JobState
    """How far it is."""
    stage: str | None
    """What was being computed about a second ago, in words; null unless it runs."""
    share: float
    """How much of the work was done then, from 0 to 1; an estimate."""
    result: dict[str, Any] | None
    """`data`, as docs/json.md describes it, and `text`; null until it is done."""
    code: str | None
    """The code of a refusal; else null."""
    message: str | None
    """Why there is no result; null while there may be one."""


async def designer(user: SignedIn) -> User:
    """Return who asks, if that is not a guest."""
    if user.role == "guest":
        raise NotAllowed("computations need an account; register first")
    return user


Designer = Annotated[User, Depends(designer)]


@router.post("", status_code=202, responses=refusals(413))
async def start_job(request: Annotated[JobRequest, Body()], service: Service, user: Designer) -> JobInfo:
    """Start a computation; ask for its progress and result with its id. Both are kept for a day."""
    return _info(await service.jobs.start(request, user.id))


@router.get("/{job_id}", responses=refusals(404))
async def look_at_job(job_id: str, service: Service, user: Designer) -> JobInfo:
    """Return how far a computation is, with its result when it is done."""
    return _info(await service.jobs.find(job_id, user.id))


@router.delete("/{job_id}", responses=refusals(404))
async def cancel(job_id: str, service: Service, user: Designer) -> JobInfo:
    """Stop a computation."""
    return _info(await service.jobs.cancel(job_id, user.id))


def _info(job: Job) -> JobInfo:
    return JobInfo(
        id=job.id,
        what=job.what,
        state=job.state,
        stage=job.stage,
        share=job.share,
        result=job.result,
        code=job.code,
        message=job.message,
    )
